import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Instrument } from '../../store/catalog/instruments'
import { picturesText, readPictures, type Picture } from '../../store/catalog/pictures/picture-lists'
import { attributesText, readAttributes, type Attribute } from '../../store/catalog/attributes'
import { centsFromText } from '../../store/shared/money'
import { parseCsv } from './csv.server'
import { productsCsv, productsHead, readProducts, readText } from './product-csv.server'

const words = fc
  .string({ unit: fc.constantFrom('a', ' ', ';', ':', '\\', '"', '-', 'é'), minLength: 1 })
  .map((text) => text.trim())
  .filter((text) => text !== '')
const pairs: fc.Arbitrary<Attribute[]> = fc.array(fc.tuple(words, words), { maxLength: 4 })
const pictures: fc.Arbitrary<Picture[]> = fc.array(
  fc.record({
    img: words.map((text) => `/${text.replace(/\s/g, '')}`),
    alt: words.map((text) => text.replace(/\s+/g, ' ')),
  }),
  { maxLength: 4 },
)
const texts = fc.string({ unit: fc.constantFrom("'", '"', '=', '-', ',', ';', '\t', '\n', ' ', 'é', '＝', '@', '1') })

test('imports the values that were exported, also after a spreadsheet has saved them with semicolons', () => {
  fc.assert(
    fc.property(texts, texts, texts, pairs, pictures, (name, brand, description, attributes, pictures) => {
      const product = {
        id: 'viol',
        version: 3,
        attributes,
        alt: 'A viol',
        pictures,
        name,
        family: 'strings',
        brand,
        description,
        img: '/v.svg',
      }
      const sale = { saleCents: 99950, saleFromAt: Date.UTC(2026, 11, 1), saleUntilAt: Date.UTC(2026, 11, 25) }
      const numbers = { regularCents: 123450, ...sale, minQuantity: 2, availableQuantity: 9 }
      const file = productsHead.slice(1) + productsCsv([{ ...product, ...numbers } as Instrument & { version: number }])
      const saved = [...parseCsv(file, ',')].map((cells) =>
        cells.map((cell) => (/[;"\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';'),
      )
      const cells = {
        ...{ id: 'viol', version: '3', name, family: 'strings', brand, img: '/v.svg', description },
        specification: attributesText(attributes),
        ...{ alt: 'A viol', pictures: picturesText(pictures) },
        ...{ price: '1234.50', minQuantity: '2', availableQuantity: '9', stockChange: '', reason: '' },
        ...{ salePrice: '999.50', saleFrom: '2026-12-01', saleUntil: '2026-12-24' },
      }
      for (const text of [file, `${saved.join('\r\n')}\r\n`])
        expect(readProducts(text)).toMatchObject([{ line: 2, cells }])
      expect(readAttributes(cells.specification)).toEqual(attributes)
      expect(readPictures(cells.pictures)).toEqual(pictures)
    }),
    { numRuns: 500 },
  )
})

const head = 'id,version,name,family,brand,img,description,price,minQuantity,availableQuantity,stockChange,reason'

test.for([
  ['12/24/2098', '2098-12-24'],
  ['24/12/2098', '2098-12-24'],
  ['24.12.2098', '2098-12-24'],
  ['1.2.2098', '2098-02-01'],
  ['24-12-2098', '2098-12-24'],
  ['2098/12/24', '2098-12-24'],
  ['2098-12-24 00:00:00', '2098-12-24'],
  ['5/5/2098', '2098-05-05'],
  ['', ''],
  ['24/12/98', '24/12/98'],
  ['soon', 'soon'],
] as const)('reads the day %j of a spreadsheet as %j', ([written, read]) => {
  const [line] = readProducts(`${head},salePrice,saleFrom\n,,Viol,,,/v.svg,,9,1,5,,,8,${written}`)
  expect([line!.cells.saleFrom, line!.unclear]).toEqual([read, undefined])
})

test.for(['12/1/2098', '1/12/2098', '01-12-2098'])('names the line of %s, which may be one of two days', (written) => {
  const [line] = readProducts(`${head},salePrice,saleUntil\n,,Viol,,,/v.svg,,9,1,5,,,8,${written}`)
  expect(line!.unclear).toEqual([
    { column: 'saleUntil', message: `${written} may be one of two days. Write it like 2026-12-24.` },
  ])
})

test.for([
  ...(
    ['1.234,50', '1 234,50', '1\u202f234,50', "1'234.50", '1’234,50', '$1,234.50', 'US$ 1234.50', "'1234.5"] as const
  ).map((price) => [price, 123450] as const),
  ...(['1.234', '1,23,4', '1.2,50', '12,345.6.7'] as const).map((price) => [price, null] as const),
])('reads the price %j as %j cents in every file', ([price, cents]) => {
  const file = (separator: string) =>
    `${head.replaceAll(',', separator)}\n${['', '', 'Viol', '', '', '/v.svg', '', `"${price}"`, '1', '5', '', ''].join(separator)}`
  for (const separator of [',', ';', '\t'])
    expect(centsFromText(readProducts(file(separator))[0]!.cells.price)).toBe(cents)
})

test('takes 1,234 for a thousand only where no decimal comma may stand', () => {
  const price = (separator: string) =>
    readProducts(`${head}\n,,Viol,,,/v.svg,,"1,234",1,5,,`.replaceAll(/,(?=[^"]*(?:"[^"]*"[^"]*)*$)/g, separator))[0]!
      .cells.price
  expect([',', ';', '\t'].map((separator) => centsFromText(price(separator)))).toEqual([123400, null, null])
})

test('reads whole numbers as spreadsheets write them, and names of columns in any case', () => {
  const [line] = readProducts(
    `sep=;\r\n${head.toUpperCase().replaceAll(',', ';').replace('MINQUANTITY', 'Min Quantity')};;\r\nviol;3.0;Viol;;;/v.svg;;9;1 000;"5,00";+7;Found;;\r\n`,
  )
  expect(line!.cells).toMatchObject({ version: '3', minQuantity: '1000', availableQuantity: '5', stockChange: '7' })
})

test.for([
  [head.replace('price,', 'Preis,'), 'Missing: price.'],
  [`${head},,Colour`, 'Unknown: (no name), Colour.'],
  [`${head},PRICE`, 'There twice: price.'],
  ['Produkt|Preis', 'It has none of them, but: Produkt|Preis.'],
])('says what is wrong with the names of the columns %j', ([names, message]) => {
  expect(() => readProducts(`${names}\n`)).toThrow(
    expect.objectContaining({ line: 1, message: expect.stringContaining(message!) as string }) as Error,
  )
})

test('reads what Excel saves as Unicode text', async () => {
  const text = `${head.replaceAll(',', '\t')}\r\n\t\tŽítara\t\t\t/v.svg\t\t9\t1\t5\t\t`
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [little, Buffer.from(little).swap16()])
    expect(readProducts((await readText(new File([bytes], 'a.txt')))!)[0]!.cells.name).toBe('Žítara')
  expect(await readText(new File([Buffer.from('Zítara', 'latin1')], 'a.csv'))).toBeNull()
})
