import { readPrice, type ForeignProduct, type ForeignRow, type Reading } from './foreign-product'
import { centsFromText } from '../../store/shared/money'
import { textOfHtml } from '../formats/html-text.server'

/**
 * The columns of Shopify's product CSV (help.shopify.com/en/manual/products/import-export/using-csv), under the names of before 2025 and of
 * today. The lines of a product follow each other under one handle: the first has its texts, each with a price is a variant, and one
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

export function shopifyProducts(rows: ForeignRow[]): Reading {
  const reading: Reading = { products: [], left: [], notes: [], joined: 0 }
  const groups: ForeignRow[][] = []
  for (const row of rows) {
    const handle = cell(row, 'handle')
    const last = groups.at(-1)
    const isFirst =
      row.cells.title !== '' && (handle === '' || last === undefined || cell(last[0]!, 'handle') !== handle)
    if (isFirst) groups.push([row])
    else if (last && cell(last[0]!, 'handle') === handle) last.push(row)
    else reading.left.push({ line: row.line, name: handle, message: 'No line before it has the title of this handle.' })
  }
  for (const group of groups) readGroup(group, reading)
  return reading
}

function readGroup(group: ForeignRow[], reading: Reading): void {
  const { products, left, notes } = reading
  const [first] = group as [ForeignRow]
  const title = first.cells.title!
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
    brand: first.cells.vendor ?? '',
    description: textOfHtml(cell(first, 'body')),
    kind: [first.cells.type, cell(first, 'category').split('>').at(-1), first.cells.tags].join(' '),
  }
  const names = [1, 2, 3].map((nth) => first.cells[`option${nth} name`] ?? '')
  for (const row of variants) {
    const options = [1, 2, 3]
      .map((nth): [string, string] => [names[nth - 1] || `Option ${nth}`, row.cells[`option${nth} value`] ?? ''])
      .filter(([, value]) => value !== '' && value !== 'Default Title')
    const name =
      variants.length > 1 ? [title, options.map(([, value]) => value).join(' / ')].filter(Boolean).join(', ') : title
    const own = cell(row, 'variantPicture')
    const product: ForeignProduct = {
      ...{ ...common, line: row.line, name, price: cell(row, 'price') },
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
