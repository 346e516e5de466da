import type { Attribute } from './attributes'

/** How a file of another shop names a product: with `key`, its handle or ID, which the other shop never gives to two. */
export interface Origin {
  from: 'Shopify' | 'WooCommerce'
  /** Empty: it has none. */
  key: string
  /** What `key` is called. */
  keyName: 'handle' | 'ID'
}

/** A line that may be about a product of the shop. */
export interface Candidate {
  line: number
  /** Of the hash of its values, as imports have always made it. */
  hash: string
  /** Of where it comes from; null for a line of our own file, or without a key. */
  originId: string | null
  origin: Origin | null
  article: string
  name: string
}

export interface Product {
  id: string
  name: string
  attributes: Attribute[]
  removedAt: number | null
  hidden: number
}

/** `by`: how a line was recognised. `same`: it has the values of an earlier import, which says nothing new. */
export type Known<Row> =
  | { what: 'same' | 'deleted' | 'known'; product: Row; by: string; isByName: boolean }
  | { what: 'unclear'; message: string; by: string; isByName: boolean }

/** The article number in a specification; empty: none. Spreadsheets and Shopify put an apostrophe before digits. */
export function articleOf(attributes: Attribute[]): string {
  const value = attributes.find(([name]) => /^(article|sku)( (no\.?|number))?$/i.test(name))?.[1] ?? ''
  return value.replace(/^'(?=\d)/, '')
}

const folded = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Where the product was imported from, which its id says. Null: added here, or imported before ids said so. */
const sourceOf = ({ id }: Product) => /^(shopify|woocommerce)-[\da-f]+$/.exec(id)?.[1] ?? null

/**
 * Which product of the shop each line is about, if any: by handle or ID, by the values of an earlier import, by article number,
 * by name alone. What could be one of two, and where two things speak against each other, is unclear: different products are never
 * taken for one. `products` are those that the lines may mean, deleted ones too.
 */
export function findKnown<Row extends Product>(
  candidates: Candidate[],
  products: Map<string, Row>,
): Map<number, Known<Row>> {
  const known = new Map<number, Known<Row>>()
  const claimed = new Set<string>()
  for (const candidate of candidates) {
    const found = findById(candidate, products)
    if (!found) continue
    known.set(candidate.line, found)
    if ('product' in found) claimed.add(found.product.id)
  }
  const free = [...products.values()].filter(
    ({ id, removedAt, hidden }) => !claimed.has(id) && (removedAt === null || hidden === 1),
  )
  const open = () => candidates.filter(({ line }) => !known.has(line))
  const byArticle = pair(
    open(),
    free.map((row) => [articleOf(row.attributes), row] as const),
    ({ article }) => article,
    ({ origin }, row) => !origin || [null, origin.from.toLowerCase()].includes(sourceOf(row)),
  )
  for (const [candidate, rows, lines] of byArticle) {
    const by = `article number ${candidate.article}`
    const [product] = rows as [Row]
    const isOne = rows.length === 1 && lines === 1
    // Before ids said so, an article number did not tell of which shop it was.
    const isSure = !candidate.origin || sourceOf(product) !== null || folded(product.name) === folded(candidate.name)
    known.set(
      candidate.line,
      isOne && isSure
        ? { what: 'known', product, by, isByName: false }
        : { what: 'unclear', message: whyUnclear(rows, lines, by), by, isByName: false },
    )
    if (isOne) claimed.add(product.id)
  }
  const byName = pair(
    open(),
    free.filter(({ id }) => !claimed.has(id)).map((row) => [folded(row.name), row] as const),
    ({ name }) => folded(name),
    ({ article }, row) => article === '' || ['', article].includes(articleOf(row.attributes)),
  )
  for (const [candidate, rows, lines] of byName)
    known.set(
      candidate.line,
      rows.length === 1 && lines === 1
        ? { what: 'known', product: rows[0]!, by: 'name alone', isByName: true }
        : { what: 'unclear', message: whyUnclear(rows, lines, 'name'), by: 'name alone', isByName: true },
    )
  return known
}

function findById<Row extends Product>(
  { hash, originId, origin, article, name }: Candidate,
  products: Map<string, Row>,
): Known<Row> | null {
  const product = products.get(originId ?? hash) ?? products.get(hash)
  if (!product) return null
  const isSame = product.id === hash
  const by = isSame ? 'values' : origin!.keyName
  if (product.removedAt !== null && product.hidden === 0) return { what: 'deleted', product, by, isByName: false }
  if (isSame) return { what: 'same', product, by, isByName: false }
  const other = articleOf(product.attributes)
  // Two shops may number their products alike.
  const isOther = article !== '' && other !== '' && article !== other && folded(name) !== folded(product.name)
  const message = `Its ${by} is that of “${product.name}” here, which has another name and another article number.`
  return isOther ? { what: 'unclear', message, by, isByName: false } : { what: 'known', product, by, isByName: false }
}

/** Each line with the products of its key, and how many lines have this key. */
function pair<Row>(
  lines: Candidate[],
  rows: (readonly [key: string, row: Row])[],
  keyOf: (line: Candidate) => string,
  fits: (line: Candidate, row: Row) => boolean,
): [Candidate, Row[], number][] {
  const products = new Map<string, Row[]>()
  for (const [key, row] of rows) products.set(key, [...(products.get(key) ?? []), row])
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  return lines.flatMap((line) => {
    const key = keyOf(line)
    const found = key === '' ? [] : (products.get(key) ?? []).filter((row) => fits(line, row))
    return found.length > 0 ? [[line, found, counts.get(key)!]] : []
  })
}

function whyUnclear(rows: Product[], lines: number, what: string): string {
  if (rows.length > 1) return `${rows.length} products here have its ${what}.`
  return lines > 1
    ? `${lines} lines of the file have its ${what}, and one product here.`
    : `“${rows[0]!.name}” here has its ${what}, and another name.`
}
