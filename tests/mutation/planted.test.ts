import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantedChain } from './planted-chain'
import { plantedDiscounts } from './planted-discounts'
import { plantedIdentity } from './planted-identity'
import { plantedInvoices } from './planted-invoices'
import { plantedOrders } from './planted-orders'

test('quotes code that stands once in its file', () => {
  const stale = [...plantedDiscounts, ...plantedIdentity, ...plantedInvoices, ...plantedOrders, ...plantedChain]
    .filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2)
    .map(({ file, name }) => `${file}: ${name}`)
  expect(stale).toEqual([])
})
