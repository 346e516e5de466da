import { expect, test } from 'vitest'
import '../../store/catalog/families.server'
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

const file = (...lines: string[]) => readForeign(lines.join('\n'))!

test('hides what WooCommerce does not show in its lists, and the variations of a hidden parent', () => {
  const { lines, notes } = file(
    'ID,Type,SKU,Name,Published,Stock,Regular price,Visibility in catalog,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,simple,A,Shown,1,1,9,visible,,,',
    '2,simple,B,Catalogue,1,1,9,catalog,,,',
    '3,simple,C,Searched,1,1,9,search,,,',
    '4,simple,D,Hidden,1,1,9,Hidden,,,',
    '5,variable,E,Lute,1,,,hidden,,Size,"1/2, 3/4"',
    '6,variation,E-1,Lute - 1/2,1,2,100,visible,id:5,Size,1/2',
    '7,variation,E-2,Lute - 3/4,1,2,100,,E,Size,3/4',
  )
  expect(lines.filter(({ foreign }) => foreign!.isHidden).map(({ cells }) => cells.name)).toEqual([
    ...['Searched', 'Hidden', 'Lute - 1/2', 'Lute - 3/4'],
  ])
  expect(notes.filter(({ message }) => message.includes('it comes hidden')).map(({ line }) => line)).toEqual([
    4, 5, 7, 8,
  ])
})

test('reads entities, escaped commas and shortcodes in every text', () => {
  const { lines } = file(
    'ID,Type,SKU,Name,Published,Description,Stock,Regular price,Categories,Brands,Attribute 1 name,Attribute 1 value(s)',
    '11,simple,K-11,Bow &amp; Rosin,1,"<p>Of the espa&ntilde;ol school [gallery ids=""1""]</p>",3,49.50,Cases &amp; Bags,"Smith &amp; Sons\\, Cremona",L&auml;nge,"1\\, 2 m"',
  )
  expect(lines[0]!.cells).toMatchObject({
    ...{ name: 'Bow & Rosin', brand: 'Smith & Sons, Cremona', family: 'cases' },
    ...{ description: 'Of the español school', specification: 'Länge: 1, 2 m; Article: K-11' },
  })
  const shopify = file(
    'Handle,Title,Vendor,Variant Price,Option1 Name,Option1 Value',
    'a,Caf&eacute; Oud,R&amp;B,9,Size,3&frasl;4',
  )
  expect(shopify.lines[0]!.cells).toMatchObject({ name: 'Café Oud', brand: 'R&B', specification: 'Size: 3⁄4' })
})

test('names every column that does not come along, with its values', () => {
  const { unused } = file(
    'Handle,Title,Variant Price,Variant Barcode,Image Src,Image Alt Text,,SEO Title',
    'a,Oud,9,4006381333931,https://pictures.example/1.jpg,Front,x,',
    'a,,,,https://pictures.example/2.jpg,Back,,',
    'b,Viol,9,4006381333932,,,,',
  )
  expect(unused).toEqual([
    { column: 'Variant Barcode', count: 2 },
    { column: 'Image Alt Text', count: 2 },
    { column: 'Column 7', count: 1 },
  ])
  const woo = file(
    'Type,Name,Regular price,"GTIN, UPC, EAN, or ISBN",Attribute 1 name,Attribute 1 visible',
    'simple,Oud,9,1,Size,1',
  )
  expect(woo.unused.map(({ column }) => column)).toEqual(['GTIN, UPC, EAN, or ISBN', 'Attribute 1 visible'])
})

test('names what is too long or too much for a specification, and keeps the article number', () => {
  const numbers = Array.from({ length: 21 }, (_, nth) => nth + 1)
  const { lines, notes } = file(
    ['Type,SKU,Name,Regular price', ...numbers.map((nth) => `Attribute ${nth} name,Attribute ${nth} value(s)`)].join(),
    ['simple,K-1,Oud,9', ...numbers.map((nth) => `P${nth},${nth === 3 ? 'x'.repeat(201) : nth}`)].join(),
  )
  expect(lines[0]!.cells.specification).toMatch(/P19: 19; Article: K-1$/)
  expect(notes.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['2 properties beyond 20 are left out: P20, P21.', 'Its P3 is cut to 200 characters.']),
  )
})

test('gathers the lines of a handle, wherever they stand', () => {
  const { lines, left, joined } = file(
    'Handle,Title,Variant Price,Option1 Name,Option1 Value,Image Src',
    'a,,10,,3/4,',
    'b,Viol,9,,,',
    'a,Oud,12,Size,4/4,https://pictures.example/1.jpg',
    'c,,8,,x,',
    'A,,,,,https://pictures.example/2.jpg',
  )
  expect(lines.map(({ line, cells }) => [line, cells.name, cells.price])).toEqual([
    ...[
      [4, 'Oud, 4/4', '12'],
      [2, 'Oud, 3/4', '10'],
      [3, 'Viol', '9'],
    ],
  ])
  expect([joined, left]).toEqual([1, [{ line: 5, name: 'c', message: 'No line has the title of this handle.' }]])
})

test('counts products against the limit, not lines', () => {
  const rows = (products: number) =>
    Array.from({ length: products }, (_, nth) => [
      `a${nth},Oud ${nth},9,`,
      ...Array.from({ length: 8 }, () => `a${nth},,,/p.jpg`),
    ]).flat()
  const { lines, joined } = file('Handle,Title,Variant Price,Image Src', ...rows(600))
  expect([lines.length, joined]).toEqual([600, 4800])
  const many = Array.from({ length: 5001 }, (_, nth) => `a${nth},Oud,9,`)
  expect(() => file('Handle,Title,Variant Price,Image Src', ...many)).toThrow('A file may have at most 5,000 products.')
})

test('names an article number that a spreadsheet has rounded, and takes no two products for one', () => {
  const { lines, notes } = file(
    'Handle,Title,Variant Price,Variant SKU,Variant Inventory Qty',
    'a,Oud,9,4.00638E+12,1.5',
    "b,Viol,9,'0012,1 000",
  )
  expect(lines.map(({ cells }) => [cells.specification, cells.availableQuantity])).toEqual([
    ['', '0'],
    ["Article: '0012", '1000'],
  ])
  expect(notes.map(({ line, message }) => `${line} ${message}`)).toEqual(
    expect.arrayContaining([
      '2 Its article number 4.00638E+12 is left out: a spreadsheet has rounded it.',
      '2 Its stock “1.5” is no whole number: it starts with 0 pieces.',
    ]),
  )
})
