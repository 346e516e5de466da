import { expect, test } from 'vitest'
import { readPriceWords } from './price-words'

test.for([
  ['violin under 500', 'violin', '', '500'],
  ['flutes below $1,000', 'flutes', '', '1000'],
  ['under 500', '', '', '500'],
  ['Under 99.50 dollars cases', 'cases', '', '99.50'],
  ['cello over 2000', 'cello', '2000', ''],
  ['more than 1,500 USD trumpet', 'trumpet', '1500', ''],
  ['between 300 and 600', '', '300', '600'],
  ['oboe  between $600 and $300', 'oboe', '300', '600'],
  ['horn from 300 to 600', 'horn', '300', '600'],
  ['sax over 500 under 900', 'sax', '500', '900'],
  ['3/4 violin up to 700', '3/4 violin', '', '700'],
  ['violin under 500, with bow', 'violin with bow', '', '500'],
  ['violin under 500.', 'violin', '', '500'],
  ['violin  under  500!!', 'violin', '', '500'],
  [', violin under 500 bow', 'violin bow', '', '500'],
  ['violin not more than 500', 'violin', '', '500'],
  ['nothing over $900', '', '', '900'],
  ['cello no less than 2000', 'cello', '2000', ''],
] as const)('reads the price in "%s"', ([typed, q, min, max]) => {
  expect(readPriceWords(typed)).toEqual({ q, min, max })
})

test.for([
  'cheap violin',
  'violin under 3/4',
  'violin for under 10 years',
  'under 12 yrs',
  'over the rainbow',
  'trumpet over',
  'violin 500',
  'between strings and brass',
  'understated 500',
  'under 1,00,0',
  'under 500mm',
  'under 50%',
  '',
])('finds no price in "%s"', (typed) => {
  expect(readPriceWords(typed)).toBeNull()
})
