import { attributesText, type Attribute } from '../../store/catalog/attributes'
import type { ImportLine } from '../../store/catalog/import-instruments.server'
import { slugOf } from '../../store/catalog/catalog'
import { families } from '../../store/catalog/families'
import { findFamily } from '../../store/catalog/family-words'
import { picturesText } from '../../store/catalog/pictures/picture-lists'
import { maxImportLines, maxPictures } from '../../store/shared/limits'
import { imageAddress } from '../../store/shared/validation.server'
import { CsvError, readTable } from './csv.server'
import { readCount, readPrice } from './spreadsheet-values'
import type { ForeignNote, ForeignProduct } from './foreign-product'
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
  /** Columns that do not come along, and how many of their values are not empty. */
  unused: { column: string; count: number }[]
  /** Lines of products in the file. */
  total: number
}

/** Null if the first line is neither of Shopify nor of WooCommerce. Throws `CsvError`. */
export function readForeign(text: string): ForeignFile | null {
  const table = readTable(text)
  const names = inEnglish(table.names.map((name) => name.toLowerCase().replace(/\s+/g, ' ')))
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name))
  const isShopify = has('title') && (has('variant price') || has('url handle', 'price'))
  if (!isShopify && !has('type', 'name', 'regular price')) return null
  const rows = table.rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      cells.flatMap((cell, nth) => (names[nth] && cell.trim() !== '' ? [[names[nth], cell.trim()]] : [])),
    ),
  }))
  const { products, left, notes, joined, isUsed } = isShopify ? shopifyProducts(rows) : woocommerceProducts(rows)
  if (products.length > maxImportLines) {
    const most = maxImportLines.toLocaleString('en-US')
    throw new CsvError(products[maxImportLines]!.line, `A file may have at most ${most} products.`)
  }
  const unused = names.flatMap((name, nth) => {
    const count = name && isUsed(name) ? 0 : table.rows.filter(({ cells }) => cells[nth]?.trim()).length
    return count > 0 ? [{ column: table.names[nth]! || `Column ${nth + 1}`, count }] : []
  })
  const from = isShopify ? 'Shopify' : 'WooCommerce'
  const lines = products.map((product) => toLine(product, from, table.separator, notes))
  return { from, lines, left, notes, joined, unused, total: rows.length }
}

/** In place of one that there is not. */
export const noPicture = '/art/no-picture.svg'

/** As `NewInstrument` permits. */
const [longestDescription, longestValue, longestName, mostAttributes] = [2000, 200, 40, 20]

function toLine(
  product: ForeignProduct,
  from: ForeignFile['from'],
  separator: string,
  notes: ForeignNote[],
): ImportLine {
  const { line, name, brand, description, pictures, kind } = product
  const pieces = readCount(product.pieces)
  const note = (message: string) => notes.push({ line, name, message })
  if (description.length > longestDescription) note(`The description is cut to ${longestDescription} characters.`)
  if (pictures.length === 0) note('It has no picture: it comes with one that says so.')
  const [first = noPicture, ...further] = new Set(pictures)
  const kept = further.filter((img) => imageAddress.safeParse(img).success).slice(0, maxPictures - 1)
  if (kept.length < further.length) note(`${further.length - kept.length} further pictures are left out.`)
  const whole = /^-?\d{1,9}(\.0+)?$/.test(pieces) ? Math.trunc(Number(pieces)) : null
  if (whole === null && pieces !== '') note(`Its stock “${pieces}” is no whole number: it starts with 0 pieces.`)
  else if (whole === null) note('The other shop counts no stock: it starts with 0 pieces.')
  else if (whole < 0) note(`Its stock is ${whole}: it starts with 0 pieces.`)
  const all = product.attributes.filter(([key, value]) => key !== '' && value !== '' && !isRounded(key, value, note))
  const [article] = all.filter(([key]) => key === 'Article')
  const fitting = all.length > mostAttributes && article ? [...all.slice(0, mostAttributes - 1), article] : all
  const attributes = fitting
    .map(([key, value]): Attribute => [cutText(key, longestName), cutText(value, longestValue)])
    .slice(0, mostAttributes)
  const lost = all.filter((each) => !fitting.slice(0, mostAttributes).includes(each)).map(([key]) => key)
  if (lost.length > 0) note(`${lost.length} properties beyond ${mostAttributes} are left out: ${lost.join(', ')}.`)
  for (const [key, value] of fitting.slice(0, mostAttributes)) {
    if (key.length > longestName) note(`The name of its property ${key} is cut to ${longestName} characters.`)
    if (value.length > longestValue) note(`Its ${key} is cut to ${longestValue} characters.`)
  }
  const { key, isHidden } = product
  const keyName = from === 'Shopify' ? 'handle' : 'ID'
  return {
    line,
    foreign: { from, key, keyName, isHidden, isCounted: whole !== null },
    cells: {
      ...{ id: '', version: '', stockChange: '', reason: '', minQuantity: '1' },
      ...{
        name,
        brand,
        img: first,
        pictures: picturesText(kept.map((img) => ({ img, alt: '' }))),
        price: readPrice(product.price, separator),
        family: familyOf(kind, name),
      },
      description: cut(description),
      availableQuantity: String(Math.max(whole ?? 0, 0)),
      specification: attributesText(attributes),
    },
  }
}

/** Products with such numbers would be taken for one. */
function isRounded(key: string, value: string, note: (message: string) => void): boolean {
  const rounded = key === 'Article' && /^\d([.,]\d+)?E\+?\d+$/i.test(value)
  if (rounded) note(`Its article number ${value} is left out: a spreadsheet has rounded it.`)
  return rounded
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
