import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Instrument } from '../../store/catalog/instruments'
import { picturesText, readPictures, type Picture } from '../../store/catalog/pictures/picture-lists'
import { attributesText, readAttributes, type Attribute } from '../../store/catalog/attributes'
import { parseCsv } from './csv.server'
import { productsCsv, productsHead, readProducts } from './product-csv.server'

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
      for (const text of [file, `${saved.join('\r\n')}\r\n`]) expect(readProducts(text)).toEqual([{ line: 2, cells }])
      expect(readAttributes(cells.specification)).toEqual(attributes)
      expect(readPictures(cells.pictures)).toEqual(pictures)
    }),
    { numRuns: 500 },
  )
})
