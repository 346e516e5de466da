import { expect, test } from 'vitest'

interface CardModule {
  formatters: Record<string, (input: string, deleting: boolean) => string>
  validators: Record<
    string,
    (value: string, now: Date, cardNumber?: string) => { code: string; message: string; incomplete: boolean } | null
  >
}

const { formatters, validators } = (await import(new URL('../browser/card.js', import.meta.url).href)) as CardModule
const now = new Date('2026-11-21')

test.each([
  ['number', '4242424242424242', '4242 4242 4242 4242'],
  ['number', '4242-4242 42', '4242 4242 42'],
  ['number', '42424242424242429', '4242 4242 4242 4242'],
  ['number', '3782822463100051', '3782 822463 10005'],
  ['number', '37828', '3782 8'],
  ['number', 'violin', ''],
  ['expiry', '1', '1'],
  ['expiry', '5', '05 / '],
  ['expiry', '12', '12 / '],
  ['expiry', '1/', '01 / '],
  ['expiry', '1234', '12 / 34'],
  ['expiry', '12/2034', '12 / 34'],
  ['expiry', '122034', '12 / 34'],
  ['expiry', '1 / 34', '01 / 34'],
  ['cvc', '12a34', '1234'],
])('formats the field %s: "%s" as "%s"', (field, input, result) => {
  expect(formatters[field]!(input, false)).toBe(result)
})

test.each([
  ['number', '', 'incomplete_number', 'Your card number is incomplete.'],
  ['number', '4242 4242 4242 4241', 'invalid_number', 'Your card number is invalid.'],
  ['expiry', '12 / ', 'incomplete_expiry', "Your card's expiration date is incomplete."],
  ['expiry', '13 / 34', 'invalid_expiry_month', "Your card's expiration month is invalid."],
  ['expiry', '12 / 25', 'invalid_expiry_year_past', "Your card's expiration year is in the past."],
  ['expiry', '10 / 26', 'invalid_expiry_month_past', "Your card's expiration date is in the past."],
  ['cvc', '12', 'incomplete_cvc', "Your card's security code is incomplete."],
  ['cvc', '1234', 'invalid_cvc', "Your card's security code is invalid."],
])('reports %s "%s" as %s', (field, value, code, message) => {
  expect(validators[field]!(value, now)).toMatchObject({ code, message })
})
