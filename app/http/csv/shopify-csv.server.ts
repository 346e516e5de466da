import type { ForeignProduct, ForeignRow, Reading } from './foreign-product'
import { readPrice } from './spreadsheet-values'
import { centsFromText } from '../../store/shared/money'
import { lineOfHtml, textOfHtml } from '../formats/html-text.server'

/**
 * The columns of Shopify's product CSV (help.shopify.com/en/manual/products/import-export/using-csv), under the names of before 2025 and of
 * today. The lines of a product have one handle, wherever they stand: the first has its texts, each with a price is a variant, and one
 * without a price is a further picture.
 */
const columns = {
  handle: ['handle', 'url handle'],
  body: ['body (html)', 'description'],
  category: ['product category'],
  published: ['published', 'published on online store'],
  price: ['variant price', 'price'],
  oldPrice: ['variant compare at price', 'compare-at price'],
  pieces: ['variant inventory qty', 'inventory quantity'],
  tracker: ['variant inventory tracker', 'inventory tracker'],
  picture: ['image src', 'product image url'],
  variantPicture: ['variant image', 'variant image url'],
  sku: ['variant sku', 'sku'],
}

const used = new Set([
  ...Object.entries(columns).flatMap(([, names]) => names),
  ...['title', 'vendor', 'type', 'status', 'gift card', 'image position', 'product image position'],
  ...[1, 2, 3].flatMap((nth) => [`option${nth} name`, `option${nth} value`]),
])

export function shopifyProducts(rows: ForeignRow[]): Reading {
  const isUsed = (name: string) => used.has(name)
  const reading: Reading = { products: [], left: [], notes: [], joined: 0, isUsed }
  const groups = new Map<string, ForeignRow[]>()
  for (const row of rows) {
    // Without a handle, each title begins a product.
    const handle = cell(row, 'handle').toLowerCase() || (row.cells.title ? `line ${row.line}` : '')
    const group = groups.get(handle) ?? (handle === '' ? [...groups.values()].at(-1) : undefined)
    if (group) group.push(row)
    else groups.set(handle, [row])
  }
  for (const group of groups.values()) {
    const first = group.find(({ cells }) => cells.title)
    if (first) readGroup([first, ...group.filter((row) => row !== first)], reading)
    else
      for (const { line, cells } of group)
        reading.left.push({ line, name: cells.handle ?? '', message: 'No line has the title of this handle.' })
  }
  return reading
}

function readGroup(group: ForeignRow[], reading: Reading): void {
  const { products, left, notes } = reading
  const [first] = group as [ForeignRow]
  const title = lineOfHtml(first.cells.title!)
  const status = first.cells.status?.toLowerCase() ?? ''
  const why =
    first.cells['gift card']?.toLowerCase() === 'true'
      ? 'A gift card is no instrument.'
      : ['draft', 'archived', 'unlisted'].includes(status)
        ? `It is ${status} in the other shop.`
        : cell(first, 'published').toLowerCase() === 'false'
          ? 'It is not published in the other shop.'
          : null
  if (why !== null) {
    for (const { line } of group) left.push({ line, name: title, message: why })
    return
  }
  const pictures = group.map((row) => cell(row, 'picture')).filter(Boolean)
  const variants = group.filter((row) => cell(row, 'price') !== '' || row === first)
  reading.joined += group.length - variants.length
  const common = {
    brand: lineOfHtml(first.cells.vendor ?? ''),
    description: textOfHtml(cell(first, 'body')),
    kind: lineOfHtml([first.cells.type, cell(first, 'category').split('>').at(-1), first.cells.tags].join(' ')),
  }
  const names = [1, 2, 3].map((nth) => first.cells[`option${nth} name`] ?? '')
  for (const row of variants) {
    const options = [1, 2, 3]
      .map((nth): [string, string] => [
        names[nth - 1] || `Option ${nth}`,
        lineOfHtml(row.cells[`option${nth} value`] ?? ''),
      ])
      .filter(([, value]) => value !== '' && value !== 'Default Title')
    const name =
      variants.length > 1 ? [title, options.map(([, value]) => value).join(' / ')].filter(Boolean).join(', ') : title
    const own = cell(row, 'variantPicture')
    const handle = cell(first, 'handle')
    const variant = handle === '' || variants.length === 1 ? [] : options.map(([, value]) => value)
    const product: ForeignProduct = {
      ...{ ...common, line: row.line, name, price: cell(row, 'price') },
      ...{ key: [handle, ...variant].join('\n'), isHidden: false },
      pieces: cell(row, 'tracker') === '' && cell(row, 'pieces') === '0' ? '' : cell(row, 'pieces'),
      pictures: row === first ? [own, ...pictures].filter(Boolean) : own ? [own] : pictures.slice(0, 1),
      attributes: [...options, ['Article', cell(row, 'sku')]],
    }
    const [price, oldPrice] = [centsOf(product.price), centsOf(cell(row, 'oldPrice'))]
    if (price !== null && oldPrice !== null && oldPrice > price)
      notes.push({
        ...{ line: row.line, name },
        message: `Its compare-at price ${cell(row, 'oldPrice')} is left out: a sale shows the lowest price of its last 30 days here.`,
      })
    products.push(product)
  }
  for (const row of group)
    if (!variants.includes(row) && cell(row, 'picture') === '')
      notes.push({ line: row.line, name: title, message: 'This line has neither a price nor a picture.' })
}

const centsOf = (price: string) => centsFromText(readPrice(price))

function cell({ cells }: ForeignRow, column: keyof typeof columns): string {
  return columns[column].map((name) => cells[name]).find((value) => value !== undefined) ?? ''
}
