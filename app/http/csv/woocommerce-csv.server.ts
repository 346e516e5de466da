import type { Attribute } from '../../store/catalog/attributes'
import type { ForeignRow, Reading } from './foreign-product'
import { lineOfHtml, textOfHtml } from '../formats/html-text.server'

/**
 * The columns of WooCommerce's own exporter (github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema). A variable product has a
 * line for its texts and one for each variation, which names it as its parent, by `id:` or by SKU. `germanColumns` are in English by now.
 */
export function woocommerceProducts(rows: ForeignRow[]): Reading {
  const reading: Reading = { products: [], left: [], notes: [], joined: 0, isUsed }
  const parents = new Map<string, ForeignRow>()
  for (const row of rows) {
    const { type = '', id, sku } = row.cells
    if (!hasType(type, 'variable')) continue
    if (id) parents.set(`id:${id}`, row)
    if (sku) parents.set(sku, row)
  }
  const sold = new Set(
    rows.filter(({ cells }) => hasType(cells.type ?? '', 'variation')).map(({ cells }) => cells.parent ?? ''),
  )
  for (const row of rows) readRow(row, parents, sold, reading)
  return reading
}

const used = new Set([
  ...['id', 'type', 'sku', 'name', 'published', 'visibility in catalog', 'short description', 'description', 'stock'],
  ...['sale price', 'regular price', 'categories', 'images', 'parent', 'brands'],
])
const isUsed = (name: string) => used.has(name) || /^attribute \d+ (name|value\(s\))$/.test(name)

/** The exporter writes the names in the language of its user, and the values always the same. */
const germanColumns: Record<string, string> = {
  ...{ typ: 'type', artikelnummer: 'sku', veröffentlicht: 'published', marken: 'brands', marke: 'brands' },
  ...{ kurzbeschreibung: 'short description', beschreibung: 'description', lager: 'stock', bestand: 'stock' },
  ...{ angebotspreis: 'sale price', 'regulärer preis': 'regular price', kategorien: 'categories' },
  ...{
    schlagwörter: 'tags',
    bilder: 'images',
    'sichtbarkeit im katalog': 'visibility in catalog',
    'übergeordnetes produkt': 'parent',
    übergeordnet: 'parent',
  },
}

/** The names of the first line, in English. Other languages stay as they are. */
export function inEnglish(names: string[]): string[] {
  if (!names.includes('regulärer preis')) return names
  return names.map(
    (name) =>
      germanColumns[name] ??
      name.replace(
        /^attribut (\d+) (name|wert\(e\))$/,
        (_, nth: string, what: string) => `attribute ${nth} ${what === 'name' ? 'name' : 'value(s)'}`,
      ),
  )
}

const hasType = (types: string, type: string) =>
  types
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes(type)

function readRow(row: ForeignRow, parents: Map<string, ForeignRow>, sold: Set<string>, reading: Reading): void {
  const { line, cells } = row
  const { type = '' } = cells
  const name = lineOfHtml(cells.name ?? '')
  const isVariation = hasType(type, 'variation')
  const parent = isVariation ? parents.get(cells.parent ?? '') : undefined
  const isParent = hasType(type, 'variable') && (sold.has(`id:${cells.id}`) || sold.has(cells.sku ?? ''))
  const why = whyNot(type, [row, ...(parent ? [parent] : [])], isVariation && !parent, isParent)
  if (why !== null) {
    reading.left.push({ line, name, message: why })
    return
  }
  if (isParent) {
    reading.joined++
    return
  }
  const of = (column: string) => cells[column] || parent?.cells[column] || ''
  const note = (message: string) => reading.notes.push({ line, name, message })
  const own = attributesOf(row)
  const plain = (pairs: Attribute[]) =>
    pairs.map(([key, value]): Attribute => [lineOfHtml(key), lineOfHtml(unescaped(value))])
  const options = plain(own)
    .map(([, value]) => value)
    .join(' / ')
  const base = lineOfHtml(parent?.cells.name ?? name)
  if (cells['sale price']) note(`Its sale price ${cells['sale price']} is left out.`)
  if (of('description') && of('short description')) note('Its short description is left out: it has a long one.')
  for (const [key, value] of parent ? attributesOf(parent) : [])
    if (isList(value) && !own.some(([each]) => each === key))
      note(`${key} is left out: its parent has “${unescaped(value)}”, and this variation none of them.`)
  // 'search': found by the search alone. A hidden parent hides its variations.
  const isHidden = [row, parent].some((each) => /^(hidden|search)$/i.test(each?.cells['visibility in catalog'] ?? ''))
  if (isHidden) note('It is not shown in the lists of the other shop: it comes hidden. Show it under Manage Products.')
  reading.products.push({
    ...{ line, key: cells.id ?? '', isHidden },
    name: parent ? (name && name !== base ? name : [base, options].filter(Boolean).join(', ')) : name,
    brand: lineOfHtml(unescaped(of('brands'))),
    description: textOfHtml(lines(of('description') || of('short description'))),
    price: cells['regular price'] ?? '',
    pieces: (cells.stock === 'parent' ? parent?.cells.stock : cells.stock) ?? '',
    pictures: of('images')
      .split(/\s*,\s*(?=https?:)/)
      .filter(Boolean),
    kind: lineOfHtml(unescaped([of('categories'), of('tags')].join(' '))),
    attributes: [...plain(parent ? [...own, ...others(parent, own)] : own), ['Article', cells.sku ?? '']],
  })
}

/** Why a line is left out, or null. `rows` are the line and its parent. */
function whyNot(type: string, rows: ForeignRow[], isOrphan: boolean, isParent: boolean): string | null {
  if (hasType(type, 'grouped')) return 'A group of products: its products have lines of their own.'
  if (hasType(type, 'external')) return 'It is sold by another shop.'
  if (hasType(type, 'virtual') || hasType(type, 'downloadable')) return 'It cannot be shipped.'
  if (isOrphan) return `No line has its parent ${rows[0]!.cells.parent || '(empty)'}.`
  if (!['variation', 'simple', 'variable'].some((known) => hasType(type, known)))
    return `We do not know the type ${type || '(empty)'}.`
  if (rows.some(({ cells }) => cells.published === '0' || cells.published === '-1'))
    return 'It is not published in the other shop.'
  return hasType(type, 'variable') && !isParent ? 'It has no variation with a price.' : null
}

/** It writes a line break as a backslash and an n. */
const lines = (text: string) => text.replaceAll('\\n', '\n').replace(/\n/g, '<br>')

function attributesOf({ cells }: ForeignRow): Attribute[] {
  const numbers = Object.keys(cells).flatMap((name) => /^attribute (\d+) name$/.exec(name)?.[1] ?? [])
  return numbers
    .map((nth): Attribute => [cells[`attribute ${nth} name`] ?? '', cells[`attribute ${nth} value(s)`] ?? ''])
    .filter(([name, value]) => name !== '' && value !== '')
}

/** It separates values by commas, and writes those in them as a backslash and a comma. */
const isList = (value: string) => /(?<!\\),/.test(value)
const unescaped = (value: string) => value.replaceAll('\\,', ',')

/** What a variation shares with its siblings: of the parent, what has a single value. */
function others(parent: ForeignRow, own: Attribute[]): Attribute[] {
  return attributesOf(parent).filter(([name, value]) => !isList(value) && !own.some(([each]) => each === name))
}
