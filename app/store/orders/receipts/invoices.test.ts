import { expect, test } from 'vitest'
import { creditNotePaper, invoicePaper, type CreditNote, type Invoice } from './invoices'

const at = (day: number) => Date.UTC(2026, 10, day, 10, 5)

const invoice: Invoice = {
  ...{ series: 2, number: 17, issuedAt: at(3), zone: 'UTC', buyerName: 'Ada', buyerAddress: '1 Bow Lane\nCremona' },
  ...{ company: 'Music Ltd', vatNumber: 'GB123456789', purchaseOrder: 'PO-7', vatRate: 22_00 },
  ...{ seller: { name: 'Cadenza S.r.l.', address: 'Via dei Liutai 4', vatNumber: 'IT01234567897' } },
  ...{ orderNumber: 1042, productName: 'Viola', unitPriceCents: 11_01, quantity: 3, totalCents: 33_03 },
  ...{ paidAt: at(1), transactionId: 'pi_1', discountCode: null, discountCents: null },
}
const note = (number: number, amountCents: number, more: Partial<CreditNote> = {}): CreditNote => ({
  ...{ series: 2, number, refundId: `re_${number}`, isReversal: 0, amountCents, issuedAt: at(5), zone: 'UTC' },
  reason: 'Dent',
  ...more,
})

const parties: [string, string][] = [
  ['Seller', 'Cadenza S.r.l.\nVia dei Liutai 4\nVAT number IT01234567897'],
  ['Buyer', 'Music Ltd\nAda\n1 Bow Lane\nCremona\nVAT number GB123456789'],
  ['Order', 'C-1042'],
  ['Purchase order', 'PO-7'],
  ['Instrument', 'Viola'],
]

test('an invoice states who sells, who buys, what was paid when, and the VAT in it', () => {
  expect(invoicePaper(invoice)).toEqual({
    title: 'Invoice INV-2-17',
    lead: 'Issued on 3 Nov 2026. Paid by card.',
    lines: [
      ...parties,
      ...[
        ['Price each', '$11.01'],
        ['Quantity', '3'],
        ['Net', '$27.07'],
        ['VAT 22 %', '$5.96'],
        ['Total', '$33.03'],
        ['Paid', '1 Nov 2026, 10:05 UTC'],
        ['Transaction id', 'pi_1'],
      ],
    ],
  })
  const buyerOf = (buyerAddress: string) => invoicePaper({ ...invoice, buyerAddress }).lines[1]![1].split('\n').length
  // Company, name and VAT number stand beside the address, which is one line if it has more than eight.
  expect([buyerOf('a\n\n'.repeat(8)), buyerOf('a\n'.repeat(9))]).toEqual([20, 4])
  const { lines } = invoicePaper({ ...invoice, vatRate: 0, company: null, vatNumber: null, purchaseOrder: null })
  expect(lines.map(([name]) => name).join()).toBe(
    'Seller,Buyer,Order,Instrument,Price each,Quantity,Total,Paid,Transaction id',
  )
})

test('a credit note states which invoice it corrects, why, and its own negative amounts', () => {
  const all = [note(4, 10_00), note(5, 5_07), note(6, -5_07, { refundId: 're_5', isReversal: 1, issuedAt: at(9) })]
  expect(creditNotePaper(invoice, all, 'CN-2-5')).toEqual({
    title: 'Credit note CN-2-5',
    lead: 'Issued on 5 Nov 2026. Refunded to the card.',
    lines: [
      ['Corrects', 'Invoice INV-2-17 of 3 Nov 2026'],
      ...parties,
      ...[
        ['Reason', 'Dent'],
        ['Net', '-$4.15'],
        ['VAT 22 %', '-$0.92'],
        ['Total', '-$5.07'],
      ],
    ],
  })
  const reversal = creditNotePaper(invoice, all, 'CN-2-6')!
  expect([reversal.title, reversal.lead, reversal.lines.at(-1)]).toEqual([
    'Reversal CN-2-6',
    'Issued on 9 Nov 2026. It takes back the credit note CN-2-5: the bank returned the refund.',
    ['Total', '$5.07'],
  ])
  expect(creditNotePaper(invoice, all, 'CN-2-17')).toBeNull()
})
