import { expect, test } from 'vitest'
import { readForeign } from './foreign-csv.server'

const notPublished = 'It is not published in the other shop.'

/** Which names of a file are taken, and why the others are left out. */
function taken(text: string) {
  const { lines, left } = readForeign(text)!
  return [lines.map(({ cells }) => cells.name), left.map(({ name, message }) => `${name}: ${message}`)]
}

test.for([
  ['draft,TRUE,FALSE', 'It is draft in the other shop.'],
  ['archived,TRUE,FALSE', 'It is archived in the other shop.'],
  ['unlisted,TRUE,FALSE', 'It is unlisted in the other shop.'],
  ['active,false,FALSE', notPublished],
  ['active,TRUE,true', 'A gift card is no instrument.'],
] as const)('leaves out what Shopify does not sell as an instrument: %s', ([cells, why]) => {
  const head = 'Handle,Title,Option1 Value,Variant Price,Status,Published,Gift Card'
  const file = [head, `a,Oboe,Red,10,${cells}`, 'a,,Blue,11,,,', 'b,Horn,,12,active,TRUE,FALSE'].join('\n')
  expect(taken(file)).toEqual([['Horn'], [`Oboe: ${why}`, `Oboe: ${why}`]])
})

test.for([
  ['simple', '-1', notPublished],
  ['simple', '0', notPublished],
  ['"simple, virtual"', '1', 'It cannot be shipped.'],
  ['"simple, downloadable"', '1', 'It cannot be shipped.'],
  ['external', '1', 'It is sold by another shop.'],
  ['grouped', '1', 'A group of products: its products have lines of their own.'],
] as const)('leaves out what WooCommerce does not sell: %s, published %s', ([type, published, why]) => {
  const file = `Type,Name,Published,Regular price\n${type},Oboe,${published},10\nsimple,Horn,1,12`
  expect(taken(file)).toEqual([['Horn'], [`Oboe: ${why}`]])
})

test.for([
  ['1', '1', []],
  ['0', '1', ['Oboe', 'Red']],
  ['-1', '1', ['Oboe', 'Red']],
  ['1', '0', ['Red']],
  ['1', '-1', ['Red']],
] as const)('leaves out a variation of a parent that is published %s, itself %s: %j', ([parent, own, names]) => {
  const file = [
    'ID,Type,SKU,Name,Published,Regular price,Parent',
    ...[`1,variable,O,Oboe,${parent},,`, `2,variation,OR,Red,${own},10,id:1`],
    ...['3,variable,H,Horn,1,,', '4,variation,HB,Blue,1,12,H'],
  ].join('\n')
  const [sold, left] = taken(file)
  expect(sold).toEqual(names.length === 0 ? ['Red', 'Blue'] : ['Blue'])
  expect(left).toEqual(names.map((name) => `${name}: ${notPublished}`))
})
