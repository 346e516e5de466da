import { expect, test } from 'vitest'
import type { VerifiedReceipt } from '../../chain/verify-receipt.server'
import { proofLines, verifiedLines } from './proof.server'

const at = (day: number) => Date.UTC(2026, 10, day, 10, 5)
const order = {
  ...{ productName: 'Viola', unitPriceCents: 12_50, quantity: 2, totalCents: 25_00, refundedCents: 0 },
  ...{ shippedAt: null as number | null, paidAt: at(1), payment: 'abc123' },
}
const receipt = (more: Partial<typeof order> = {}): VerifiedReceipt => ({
  ...{ number: 1042, position: 1_234, newest: 5_678, isWaiting: false },
  order: { ...order, ...more },
})
const stateOf = (more: Partial<typeof order>) => Object.fromEntries(verifiedLines(receipt(more)))['State today']

test('shows of a receipt that somebody checks what the paper says, and no person', () => {
  expect(verifiedLines(receipt())).toEqual([
    ['Order', 'C-1042'],
    ['Instrument', 'Viola'],
    ['Price each', '$12.50'],
    ['Quantity', '2'],
    ['Total', '$25.00'],
    ['Paid', '1 Nov 2026, 10:05 UTC'],
    ['Transaction id ends in', 'abc123'],
    ['State today', 'Paid, not shipped yet'],
    ['Link of the chain', '1,234 of 5,678'],
  ])
  expect(verifiedLines({ ...receipt(), order: null })).toEqual([])
})

test('says of a receipt whether the order was shipped and refunded', () => {
  expect(stateOf({ shippedAt: at(2) })).toBe('Paid, shipped 2 Nov 2026, 10:05 UTC')
  expect(stateOf({ refundedCents: 5_00 })).toBe('Paid, not shipped yet; refunded $5.00 of $25.00')
  expect(stateOf({ refundedCents: 25_00 })).toBe('Paid; refunded in full')
  expect(stateOf({ refundedCents: 25_00, shippedAt: at(2) })).toBe(
    'Paid, shipped 2 Nov 2026, 10:05 UTC; refunded in full',
  )
})

test('prints the code of a receipt in groups, and the link that checks it', () => {
  expect(proofLines('ABCDEFGHJKMNPQRSTVWXYZ012', 'https://shop.example')).toEqual([
    ['Receipt code', 'ABCDE-FGHJK-MNPQR-STVWX-YZ012'],
    ['Check it at', 'https://shop.example/verify/ABCDE-FGHJK-MNPQR-STVWX-YZ012'],
  ])
})
