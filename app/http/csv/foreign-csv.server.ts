import { attributesText, type Attribute } from '../../store/catalog/attributes'
import type { ImportLine } from '../../store/catalog/import-instruments.server'
import { slugOf } from '../../store/catalog/catalog'
import { families } from '../../store/catalog/families'
import { findFamily } from '../../store/catalog/family-words'
import { picturesText } from '../../store/catalog/pictures/picture-lists'
import { maxImportLines, maxPictures } from '../../store/shared/limits'
import { imageAddress } from '../../store/shared/validation.server'
import { CsvError, parseCsv, plainText, separatorOf } from './csv.server'
import { readPrice, type ForeignNote, type ForeignProduct, type ForeignRow } from './foreign-product'
import { shopifyProducts } from './shopify-csv.server'
import { inEnglish, woocommerceProducts } from './woocommerce-csv.server'
import { cutText } from '../../store/shared/text'

export interface ForeignFile {
  from: 'Shopify' | 'WooCommerce'
  lines: ImportLine[]
  /** Left out. */
  left: ForeignNote[]
  /** Taken, but for this. */
  notes: ForeignNote[]
  /** Lines of the file that belong to another line: further pictures, and products that are sold by their variations only. */
  joined: number
  /** Lines of products in the file. */
  total: number
}

const maxColumns = 400

/** Null if the first line is neither of Shopify nor of WooCommerce. Throws `CsvError`. */
export function readForeign(text: string): ForeignFile | null {
  if (text.includes('\0')) return null
  const separator = separatorOf(text)
  const rows = parseCsv(text, separator, maxColumns)
  const names = inEnglish(
    (rows.next().value ?? []).map((name) =>
      name
        .replace(/^\uFEFF/, '')
        .trim()
        .toLowerCase(),
    ),
  )
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name))
  const isShopify = has('title') && (has('variant price') || has('url handle', 'price'))
  if (!isShopify && !has('type', 'name', 'regular price')) return null
  const read: ForeignRow[] = []
  let line = 1
  for (const row of rows) {
    line++
    if (row.every((cell) => cell === '')) continue
    if (read.length === maxImportLines) {
      throw new CsvError(line, `A file may have at most ${maxImportLines.toLocaleString('en-US')} lines.`)
    }
    read.push({ line, cells: Object.fromEntries(names.map((name, nth) => [name, plainText(row[nth] ?? '').trim()])) })
  }
  const { products, left, notes, joined } = isShopify ? shopifyProducts(read) : woocommerceProducts(read)
  const lines = products.map((product) => toLine(product, notes))
  return { from: isShopify ? 'Shopify' : 'WooCommerce', lines, left, notes, joined, total: read.length }
}

/** In place of one that there is not. */
export const noPicture = '/art/no-picture.svg'

/** As `NewInstrument` permits. */
const [longestDescription, longestValue, longestName, mostAttributes] = [2000, 200, 40, 20]

function toLine(product: ForeignProduct, notes: ForeignNote[]): ImportLine {
  const { line, name, brand, description, pictures, kind, pieces } = product
  const note = (message: string) => notes.push({ line, name, message })
  if (description.length > longestDescription) note(`The description is cut to ${longestDescription} characters.`)
  if (pictures.length === 0) note('It has no picture: it comes with one that says so.')
  const [first = noPicture, ...further] = new Set(pictures)
  const kept = further.filter((img) => imageAddress.safeParse(img).success).slice(0, maxPictures - 1)
  if (kept.length < further.length) note(`${further.length - kept.length} further pictures are left out.`)
  const whole = /^-?\d{1,9}(\.0+)?$/.test(pieces) ? Math.trunc(Number(pieces)) : null
  if (whole === null) note('The other shop counts no stock: it starts with 0 pieces.')
  else if (whole < 0) note(`Its stock is ${whole}: it starts with 0 pieces.`)
  const attributes = product.attributes
    .filter(([key, value]) => key !== '' && value !== '')
    .map(([key, value]): Attribute => [cutText(key, longestName), cutText(value, longestValue)])
    .slice(0, mostAttributes)
  return {
    line,
    cells: {
      ...{ id: '', version: '', stockChange: '', reason: '', minQuantity: '1' },
      ...{
        name,
        brand,
        img: first,
        pictures: picturesText(kept.map((img) => ({ img, alt: '' }))),
        price: readPrice(product.price),
        family: familyOf(kind, name),
      },
      description: cut(description),
      availableQuantity: String(Math.max(whole ?? 0, 0)),
      specification: attributesText(attributes),
    },
  }
}

function cut(description: string): string {
  if (description.length <= longestDescription) return description
  return `${cutText(description, longestDescription - 1).replace(/\s+\S*$/, '')}…`
}

/** Of the families of a new shop. The first that fits: a violin case is a case. */
const words: [slug: string, pattern: RegExp][] = [
  ['cases', /\b(cases?|gig ?bags?|bags?|covers?)\b/i],
  [
    'strings',
    /\b(strings?|violins?|violas?|cellos?|violoncellos?|double bass(es)?|fiddles?|guitars?|ukuleles?|mandolins?|banjos?|harps?|lutes?|bouzoukis?|basses)\b/i,
  ],
  ['brass', /\b(brass|trumpets?|trombones?|horns?|tubas?|cornets?|flugelhorns?|euphoniums?|bugles?|sousaphones?)\b/i],
  [
    'woodwind',
    /\b(woodwinds?|flutes?|clarinets?|oboes?|bassoons?|saxophones?|sax|recorders?|piccolos?|whistles?|fifes?)\b/i,
  ],
]

/** A family that the other shop names, or that fits the words. Empty: none. */
function familyOf(kind: string, name: string): string {
  const own = families.filter(({ slug }) => !words.some(([known]) => known === slug))
  const spoken = ` ${slugOf(kind).replaceAll('-', ' ')} `
  const named = own.find((family) =>
    [family.slug, slugOf(family.name)].some((words) => words && spoken.includes(` ${words.replaceAll('-', ' ')} `)),
  )
  if (named) return named.slug
  const guess = words.find(([, pattern]) => pattern.test(`${kind} ${name}`))?.[0]
  return guess === undefined ? '' : (findFamily(guess)?.slug ?? '')
}
