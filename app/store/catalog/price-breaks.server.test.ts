import { expect, test } from 'vitest'
import { z } from 'zod'
import { NewInstrument, NewProduct } from './manage-instruments.server'
import { checkPriceBreaks } from './price-breaks.server'

const violin = { name: 'Violin', img: '/a.svg', availableQuantity: 0, minQuantity: 2 }

test.for<[what: string, rows: [from?: unknown, price?: string][], errors: Record<string, string[]>]>([
  ['no rows', [], {}],
  ['one break right above the minimum', [[3, '9.99']], {}],
  ['five breaks', [3, 4, 5, 6, 7].map((from) => [from, String(10 - from)]), {}],
  ['empty rows between', [[], [10, '9'], [], [], [20, '8']], {}],
  ['the minimum', [[2, '9']], { breakFrom1: ['From quantity must be above the minimum quantity, 2'] }],
  ['the normal price', [[3, '10']], { breakPrice1: ['Price must be below the normal price, $10.00'] }],
  [
    'the same quantity, after an empty row',
    [[10, '9'], [], [10, '8']],
    { breakFrom3: ['From quantity must be above 10, as in the row above'] },
  ],
  [
    'the same price',
    [
      [10, '9'],
      [20, '9'],
    ],
    { breakPrice2: ['Price must be below $9.00, as in the row above'] },
  ],
  ['a quantity without a price', [[10]], { breakPrice1: ['Enter a price, or remove the quantity'] }],
  ['a price without a quantity', [[], [undefined, '9']], { breakFrom2: ['Enter a quantity, or remove the price'] }],
  [
    'letters',
    [['ten', 'nine']],
    {
      breakFrom1: ['From quantity must be a whole number from 2 to 1,000,000'],
      breakPrice1: ['Price must be a number, like 1200.50'],
    },
  ],
  ['nothing', [[10, '0']], { breakPrice1: ['Price must be at least $0.01'] }],
])('reads the rows of the form with %s', ([, rows, errors]) => {
  const fields = rows.flatMap(([from, price], index) => [
    [`breakFrom${index + 1}`, from],
    [`breakPrice${index + 1}`, price],
  ])
  const result = NewProduct.safeParse({ ...violin, price: '10', ...Object.fromEntries(fields) })
  expect(result.error ? z.flattenError(result.error).fieldErrors : {}).toEqual(errors)
  const cents = (price = '') => Math.round(Number(price) * 100)
  const expected = rows.flatMap(([from, price]) => (price ? { from, priceCents: cents(price) } : []))
  if (result.data) expect(result.data.priceBreaks).toEqual(expected)
})

test.for<[what: string, breaks: object[], path: string | null]>([
  [
    'two breaks',
    [
      { from: 3, price: 9.5 },
      { from: 4, price: 9.25 },
    ],
    null,
  ],
  ['the minimum', [{ from: 2, price: 9 }], 'priceBreaks.0.from'],
  [
    'the same price',
    [
      { from: 3, price: 9 },
      { from: 4, price: 9 },
    ],
    'priceBreaks.1.price',
  ],
  ['six breaks', [3, 4, 5, 6, 7, 8].map((from) => ({ from, price: 10 - from })), 'priceBreaks'],
  ['an unknown key', [{ from: 3, price: 9, to: 4 }], 'priceBreaks.0'],
])('validates the JSON with %s', ([, priceBreaks, path]) => {
  const result = NewInstrument.superRefine(checkPriceBreaks).safeParse({ ...violin, price: 10, priceBreaks })
  expect(result.error?.issues.map((issue) => issue.path.join('.')) ?? null).toEqual(path && [path])
  if (result.data) expect(result.data.priceBreaks?.[1]).toEqual({ from: 4, priceCents: 9_25 })
})
