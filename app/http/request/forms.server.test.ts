import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { InstrumentUpdate, NewProduct, StockChange } from '../../store/catalog/manage-instruments.server'
import { NewOrder } from '../../store/ordering/place-order.server'
import { NewRefund } from '../../store/payments/order-refunds.server'
import { NewQuote, Offer } from '../../store/quotes/quotes.server'
import { submit } from './forms.server'

/** The messages of each field. */
async function errorsOf(schema: z.ZodType, fields: Record<string, string>): Promise<Record<string, unknown>> {
  const request = new Request('https://shop.example/', { method: 'POST', body: new URLSearchParams(fields) })
  const response = await submit({ request, context: {} as AppLoadContext }, schema, () => Promise.resolve(null))
  return (response as { data: { lastResult: { error?: Record<string, unknown> } } } | null)?.data.lastResult.error ?? {}
}

test.each<[string, z.ZodType, string]>([
  ['orderQuantity', NewOrder, 'Order quantity must be a whole number'],
  ['orderQuantity', NewQuote, 'Order quantity must be a whole number'],
  ['orderQuantity', Offer, 'Order quantity must be a whole number'],
  ['minQuantity', NewProduct, 'Minimum quantity must be a whole number from 1 to 1,000,000'],
  ['availableQuantity', NewProduct, 'Available quantity must be a whole number from 0 to 1,000,000'],
  ['lowStock', NewProduct, 'Low-stock email must be a whole number from 0 to 1,000,000'],
  ['breakFrom1', NewProduct, 'From quantity must be a whole number from 2 to 1,000,000'],
  ['stockChange', InstrumentUpdate, 'Enter a whole number, like 12 or -3'],
  ['pieces', StockChange, 'Pieces must be a whole number from 1 to 1,000,000'],
  ['restock', NewRefund, 'Pieces back to stock must be a whole number'],
])('takes %s in digits only', async (field, schema, message) => {
  expect((await errorsOf(schema, { [field]: ' 12 ' }))[field]).toBeUndefined()
  for (const typed of ['1e1', '0x10', '12.0', '１２', '1,000', '+12', ' '])
    expect((await errorsOf(schema, { [field]: typed }))[field]).toEqual([message])
})

test.each<[string, z.ZodType]>([
  ['price', NewProduct],
  ['breakPrice1', NewProduct],
  ['price', Offer],
  ['amount', NewRefund],
])('takes the dollars of %s in digits only', async (field, schema) => {
  expect((await errorsOf(schema, { [field]: '$1,250.50' }))[field]).toBeUndefined()
  for (const typed of ['1e1', '0x10', '１２', '1.200', '1,20', 'Infinity'])
    expect((await errorsOf(schema, { [field]: typed }))[field]).toHaveLength(1)
})
