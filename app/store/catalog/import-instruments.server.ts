import { inArray, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments } from '../../db/schema'
import { maxAttributes, type Attribute } from './attributes'
import { attributesCell } from './attributes.server'
import { slugOf } from './catalog'
import { editedKeys, fieldOf, fields, pick, publicKeys, type FieldKey, type PublicKey } from './fields'
import type { InstrumentDetails } from './instruments'
import { managed, managedColumns } from './instruments.server'
import { articleOf, findKnown, type Candidate, type Known, type Origin } from './known-products'
import {
  describeChanges,
  detailKeys,
  fitsStock,
  InstrumentUpdateForm,
  NewInstrumentForm,
  stockErrors,
  toDetails,
} from './manage-instruments.server'
import { nameKeyOf } from './order-by-name.server'
import { altField, checkPictures, picturesCell } from './pictures/picture-fields.server'
import { keepPrices, priorCents } from './prior-price.server'
import { findBreakErrors } from './price-breaks.server'
import { placePictures } from './pictures/picture-lists'
import { isNewAndOver, keepMoments, readSaleFields, saleIsOver } from './sale-prices.server'
import { hasNewWords, indexInstruments } from './search/index-instruments.server'
import type { Deps } from '../deps'
import { idOf } from '../shared/ids.server'
import { readWholeNumber } from '../shared/money'

/** Every file has these. */
const firstColumns = [
  ...(['id', 'version', 'name', 'family', 'brand', 'img', 'description', 'price'] as const),
  ...(['minQuantity', 'availableQuantity', 'stockChange', 'reason'] as const),
] as const
type FirstColumn = (typeof firstColumns)[number]
type FurtherKey = Exclude<PublicKey, FirstColumn>

/** Public fields that came later. */
const furtherKeys = publicKeys.filter((key): key is FurtherKey => !firstColumns.some((column) => column === key))

/** Files from before have none: then it stays as it is. The days of a sale belong to its price. */
export const optionalColumns = [
  ...(['specification', 'alt', 'pictures', 'salePrice', 'saleFrom', 'saleUntil'] as const),
  ...furtherKeys,
] as const
type OptionalColumn = (typeof optionalColumns)[number]

export const importColumns = [...firstColumns, ...optionalColumns] as const
export type ImportColumn = (typeof importColumns)[number]

/** Columns of whole numbers. */
export const countColumns = importColumns.filter(
  (column) =>
    ['version', 'stockChange'].includes(column) || (column in fields && fieldOf(column as FieldKey).type === 'count'),
)

export interface ImportLine {
  line: number
  /** The address of a picture for which `cells.img` stands in: the id of a new product comes from this one. */
  lostImg?: string
  /** Of a file of another shop. */
  foreign?: Origin & {
    /** Whether the other shop counts its stock. */
    isCounted: boolean
    isHidden: boolean
  }
  /** What the file leaves open. */
  unclear?: { column: ImportColumn; message: string }[]
  cells: Record<FirstColumn, string> & Partial<Record<OptionalColumn, string>>
}

export interface ImportProblem {
  line: number
  /** Null for the line as a whole. */
  column: ImportColumn | null
  message: string
}

export interface ImportChange {
  line: number
  name: string
  what: string
}

/** What to do with lines whose product the shop has already, with other values. */
export interface KnownChoice {
  known: 'leave' | 'change'
  /** Those that have nothing but the name of a product here. */
  named: 'leave' | 'change' | 'add'
}

/** A line that is left out: `what` it would change, or why that is not clear. */
export interface LeftLine extends ImportChange {
  /** What tells that the shop has its product, such as 'handle'. */
  by: string
  isByName: boolean
}

/** What an import would change. Nothing is applied while there are problems. */
export interface ImportPlan {
  problems: ImportProblem[]
  changes: ImportChange[]
  left: LeftLine[]
  /** The lines of the products that are new. */
  newLines: number[]
  added: number
  changed: number
  stockChanges: number
  unchanged: number
  /** Lines whose `availableQuantity` is not the shop's: that column counts for new products only. */
  otherStock: number
}

const versionError = 'Keep the version of the export'
const optionalCells = {
  specification: attributesCell.optional(),
  alt: altField.optional(),
  pictures: picturesCell.optional(),
}
const ImportedProduct = NewInstrumentForm.extend(optionalCells).superRefine(checkPictures).transform(readSaleFields)
const ExistingProduct = InstrumentUpdateForm.extend({
  ...optionalCells,
  version: z.number({ error: versionError }).int({ error: versionError }),
})
  .superRefine(checkPictures)
  .transform(readSaleFields)

interface NewProduct extends Candidate {
  id: string
  details: InstrumentDetails
  pieces: number
  foreign: ImportLine['foreign']
  cells: ImportLine['cells']
}

interface ChangedProduct {
  line: number
  id: string
  version: number
  details: InstrumentDetails
  pieces: number
  /** In the audit log. */
  stockNote: string
  /** Of the details, for the audit log; empty if they stay. */
  note: string
  /** The search knows something of it. */
  isWorded: boolean
}

type Current = Awaited<ReturnType<typeof readCurrent>> extends Map<string, infer Row> ? Row : never

interface Draft extends ImportPlan {
  additions: NewProduct[]
  updates: ChangedProduct[]
  /** Of a product whose stock is what the file says already: so that the same file says nothing new once the stock has moved. */
  counts: { id: string; stockNote: string }[]
}

const leaveAll: KnownChoice = { known: 'leave', named: 'leave' }

/** What the lines would change in the shop, and what is wrong with them. Changes nothing. */
export async function planImport(deps: Deps, lines: ImportLine[], choice = leaveAll): Promise<ImportPlan> {
  return planOf(await draft(deps, lines, choice))
}

function planOf({ additions, updates, counts, ...plan }: Draft): ImportPlan {
  return plan
}

/**
 * Applies all lines, or none if one has a problem. Idempotent: a line that was applied counts as unchanged. A change by id needs the
 * version of the export, and raises it. A line without id whose product the shop has already is left out or changes it, by `choice`.
 */
export async function importInstruments(
  deps: Deps,
  admin: { id: string },
  lines: ImportLine[],
  choice = leaveAll,
): Promise<ImportPlan> {
  for (let attempt = 1; ; attempt++) {
    const plan = await draft(deps, lines, choice)
    const [first, ...rest] = statementsOf(deps, admin, plan)
    if (plan.problems.length > 0 || !first) return planOf(plan)
    try {
      await deps.db.batch([first, ...rest])
    } catch (error) {
      // Somebody was faster: the next plan names the conflict, or finds that nothing is left to do.
      if (!isBrokenRule(error) || attempt === 3) throw error
      continue
    }
    deps.invalidate('catalogue')
    return planOf(plan)
  }
}

async function draft(deps: Deps, lines: ImportLine[], choice: KnownChoice): Promise<Draft> {
  const plan: Draft = {
    ...{ problems: [], changes: [], additions: [], updates: [], counts: [], left: [], newLines: [] },
    ...{ added: 0, changed: 0, stockChanges: 0, unchanged: 0, otherStock: 0 },
  }
  const now = deps.now()
  const read = (await Promise.all(lines.map((line) => readLine(plan, line, now)))).filter((each) => each !== null)
  const news = read.filter((each): each is NewProduct => !isExisting(each))
  const current = await readCurrent(deps, read.filter(isExisting), news)
  const applied = await findApplied(
    deps,
    read.filter(isExisting).filter((each) => isStale(each, current.get(each.id))),
  )
  const known = findKnown(news, current)
  const counted = await findCounted(
    deps,
    [...known.values()].flatMap((found) => (found.what === 'known' ? [found.product.id] : [])),
  )
  const seen = new Map<string, number>()
  for (const each of read) {
    const found = known.get(each.line)
    const id = isExisting(each) ? each.id : found && 'product' in found ? found.product.id : each.id
    const earlier = seen.get(id)
    seen.set(id, each.line)
    const problem = (column: ImportColumn | null, message: string) =>
      plan.problems.push({ line: each.line, column, message })
    const product = current.get(each.id)
    if (isExisting(each)) {
      if (earlier) problem('id', `Line ${earlier} has the same id.`)
      else if (!product) problem('id', 'No product has this id. Leave it empty to add a product.')
      else if (product.hidden) problem(null, 'This product is hidden. Show it again first.')
      else if (product.removedAt !== null) problem(null, 'This product is no longer on sale.')
      else planUpdate(plan, each, product, { applied, now, problem })
    } else if (earlier) {
      problem(
        null,
        found && 'product' in found
          ? `Line ${earlier} is about the same product.`
          : `Line ${earlier} adds the same product.`,
      )
    } else if (!found || (found.isByName && choice.named === 'add')) {
      if (isNewAndOver(each.details, null, now)) problem('saleUntil', saleIsOver)
      else planAddition(plan, each)
    } else planKnown(plan, each, found, { choice, counted, now, problem })
  }
  const position = ({ column }: ImportProblem) => (column === null ? -1 : importColumns.indexOf(column))
  plan.problems.sort((a, b) => a.line - b.line || position(a) - position(b))
  return plan
}

function planAddition(plan: Draft, product: NewProduct): void {
  plan.additions.push(product)
  plan.added++
  plan.newLines.push(product.line)
  const hidden = product.foreign?.isHidden ? ', hidden' : ''
  plan.changes.push({ line: product.line, name: product.details.name, what: `new, ${product.pieces} pieces${hidden}` })
}

interface PlanContext {
  now: number
  problem: (column: ImportColumn | null, message: string) => void
}

function planUpdate(
  plan: Draft,
  each: ExistingLine,
  product: Current,
  { applied, now, problem }: PlanContext & { applied: Set<string> },
): void {
  const { line, id, version, pieces, reason } = each
  const details = updatedByFile(each, product)
  if (!['', String(product.availableQuantity)].includes(each.cells.availableQuantity)) plan.otherStock++
  const note = describeChanges(product, details)
  if ((!note && pieces === 0) || (!note && applied.has(id))) {
    plan.unchanged++
    return
  }
  if (version !== product.version) {
    problem('version', `Changed in the shop since the export (version ${product.version} now). Export it again.`)
    return
  }
  const stock = pieces === 0 ? '' : `stock ${pieces > 0 ? '+' : ''}${pieces} (${reason})`
  const isWorded = hasNewWords(product, details)
  const update = { line, id, version, details, pieces, stockNote: stockNoteOf(each), note, isWorded }
  planChange(plan, update, product, { now, problem })
  plan.changes.push({ line, name: details.name, what: [note, stock].filter(Boolean).join('; ') })
}

function planChange(plan: Draft, update: ChangedProduct, product: Current, { now, problem }: PlanContext): void {
  const { details, pieces, note } = update
  for (const { index, field, message } of findBreakErrors({ ...details, price: details.priceCents })) {
    problem(field === 'from' ? 'minQuantity' : 'price', `Price break ${index + 1}: ${message}`)
  }
  if (isNewAndOver(details, product, now)) problem('saleUntil', saleIsOver)
  if (product.stock + pieces < 0) problem('stockChange', stockErrors.tooFew(product.stock))
  if (pieces > 0 && product.stock + product.unpaid + pieces > 1_000_000) problem('stockChange', stockErrors.tooMany)
  plan.updates.push(update)
  if (note) plan.changed++
  if (pieces !== 0) plan.stockChanges++
}

interface KnownContext extends PlanContext {
  choice: KnownChoice
  /** By id: the stock that the last import of the product said. */
  counted: Map<string, number>
}

/** A line without id whose product the shop has: left out or changed, as the owner has chosen. */
function planKnown(plan: Draft, each: NewProduct, found: Known<Current>, context: KnownContext): void {
  const { choice, counted, problem } = context
  const { line, foreign } = each
  const { name } = each.details
  if (found.what === 'unclear') {
    plan.left.push({ line, name, what: found.message, by: found.by, isByName: found.isByName })
    return
  }
  const { product } = found
  if (found.what === 'deleted') {
    const way = found.by === 'values' ? 'Change a value' : `Change its ${found.by} in the file`
    problem(null, `An earlier import added this product, and it was deleted since. ${way} to add it again.`)
    return
  }
  if (found.what === 'same') {
    plan.unchanged++
    return
  }
  const details = foreign ? updatedByOtherShop(each.details, product) : updatedByFile(each, product)
  const note = describeChanges(product, details)
  // What the file said before says nothing new: orders have taken from the stock since.
  const isNews = (!foreign || foreign.isCounted) && counted.get(product.id) !== each.pieces
  const pieces = isNews ? each.pieces - product.availableQuantity : 0
  const isChosen = choice[found.isByName ? 'named' : 'known'] === 'change'
  const stockNote = countedNote(each.pieces)
  if (!note && pieces === 0) {
    plan.unchanged++
    if (isNews && isChosen) plan.counts.push({ id: product.id, stockNote })
    return
  }
  const stock = pieces === 0 ? '' : `stock ${product.availableQuantity} → ${each.pieces}`
  const what = [note, stock].filter(Boolean).join('; ')
  if (!isChosen) {
    plan.left.push({ line, name: product.name, what, by: found.by, isByName: found.isByName })
    return
  }
  const isWorded = hasNewWords(product, details)
  const update = { line, id: product.id, version: product.version, details, pieces, stockNote, note, isWorded }
  planChange(plan, update, product, context)
  plan.changes.push({ line, name: product.name, what })
}

/** What the other shop leaves empty stays, and so do pictures, family and minimum, which are the shop's own since they were imported. */
function updatedByOtherShop(details: InstrumentDetails, product: Current): InstrumentDetails {
  const { name, priceCents } = details
  const values = new Map(details.attributes.map(([key, value]) => [key.toLowerCase(), value]))
  const kept = product.attributes.map(([key, value]): Attribute => [key, values.get(key.toLowerCase()) ?? value])
  const names = new Set(kept.map(([key]) => key.toLowerCase()))
  const further = details.attributes.filter(([key]) => !names.has(key.toLowerCase()))
  return {
    ...product,
    ...{ name, priceCents, attributes: [...kept, ...further].slice(0, maxAttributes) },
    brand: details.brand ?? product.brand,
    description: details.description || product.description,
  }
}

/** What the file has no column for stays as it is. */
function updatedByFile(
  { cells, details }: Pick<ExistingLine, 'cells' | 'details'>,
  product: Current,
): InstrumentDetails {
  const { img, alt, pictures, attributes } = details
  const { saleCents, saleFromAt, saleUntilAt } = cells.salePrice === undefined ? product : keepMoments(details, product)
  const kept = editedKeys.filter((key) => !(key in cells))
  return {
    ...{ ...details, ...pick(product, kept), saleCents, saleFromAt, saleUntilAt },
    priceBreaks: product.priceBreaks,
    attributes: cells.specification === undefined ? product.attributes : attributes,
    // A picture that becomes the first is no further one.
    ...placePictures(img, [
      { img, alt: cells.alt === undefined ? product.alt : alt },
      ...(cells.pictures === undefined ? product.pictures : pictures),
    ]),
  }
}

interface ExistingLine extends Omit<ChangedProduct, 'note' | 'stockNote' | 'isWorded'> {
  reason: string
  cells: ImportLine['cells']
}

function isExisting(each: ExistingLine | NewProduct): each is ExistingLine {
  return 'version' in each
}

/** Null after adding the problems of the line to the plan. */
async function readLine(
  plan: Draft,
  { line, cells, lostImg, foreign, unclear = [] }: ImportLine,
  now: number,
): Promise<ExistingLine | NewProduct | null> {
  const problem = (column: ImportColumn | null, message: string) => plan.problems.push({ line, column, message })
  if (unclear.length > 0) {
    for (const { column, message } of unclear) problem(column, message)
    return null
  }
  const { id, version, stockChange } = cells
  const input = valuesOf(cells)
  if (id === '') {
    const result = ImportedProduct.safeParse(input)
    if (version !== '') problem('version', 'Leave it empty for a new product')
    if (!['', '0'].includes(stockChange.trim()))
      problem('stockChange', 'A new product has its stock in availableQuantity')
    if (!result.success) return refuse(result.error, problem)
    const { availableQuantity: pieces, saleFrom } = result.data
    const details = detailsOf(result.data, now)
    const hash = await hashOf({ ...details, img: lostImg ?? details.img }, pieces, saleFrom)
    const originId = foreign?.key ? await idOfOrigin(foreign) : null
    return {
      ...{ line, id: originId ?? hash, hash, originId, origin: foreign ?? null, foreign, details, pieces, cells },
      ...{ name: details.name, article: articleOf(details.attributes) },
    }
  }
  const result = ExistingProduct.safeParse({ ...input, stockNote: cells.reason })
  if (!result.success) return refuse(result.error, problem)
  const { stockChange: pieces, stockNote: reason } = result.data
  if (pieces !== 0 && !reason) problem('reason', stockErrors.noReason)
  const details = detailsOf(result.data, now)
  return { line, id, details, pieces, version: result.data.version, reason: reason ?? '', cells }
}

/** Of the cells that are not empty. */
function valuesOf(cells: ImportLine['cells']) {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) => {
      if (cell.trim() === '') return []
      return [[column, countColumns.some((each) => each === column) ? (readWholeNumber(cell) ?? NaN) : cell]]
    }),
  )
}

type Imported = Omit<z.output<typeof ImportedProduct>, 'availableQuantity'>

function detailsOf({ specification = [], alt, pictures = [], ...product }: Imported, now: number): InstrumentDetails {
  const all = [{ img: product.img, alt: alt ?? '' }, ...pictures]
  return toDetails({ ...product, attributes: specification, pictures: all }, now)
}

/** The id of a new product. Without what earlier imports had no column for, it is theirs. */
async function hashOf(details: InstrumentDetails, pieces: number, saleFrom: number | undefined): Promise<string> {
  const { attributes, alt, pictures, saleCents, saleUntilAt } = details
  const values = [
    {
      ...pick(details, ['name', 'family', 'img', 'description', 'brand', 'priceCents', 'minQuantity']),
      ...{ priceBreaks: [], lowStock: null },
      ...(attributes.length > 0 && { attributes }),
      ...(alt !== '' && { alt }),
      ...(pictures.length > 0 && { pictures }),
      ...(saleCents !== null && { sale: [saleCents, saleFrom, saleUntilAt] }),
      ...Object.fromEntries(Object.entries<unknown>(pick(details, furtherKeys)).filter(([, value]) => value !== null)),
    },
    pieces,
  ]
  return (await idOf(`import:${JSON.stringify(values)}`)).slice(0, 32)
}

/** The id of a product of another shop says where it comes from, so that its next file finds it. */
async function idOfOrigin({ from, key }: Origin): Promise<string> {
  const source = from.toLowerCase()
  return `${source}-${await idOf(`import:${source}:${key}`)}`.slice(0, 32)
}

/** The first error of each column, as a form shows it. */
function refuse({ issues }: z.ZodError, problem: (column: ImportColumn, message: string) => void): null {
  const errors = new Map(issues.toReversed().map(({ path, message }) => [path[0], message]))
  for (const [field, message] of errors) problem((field === 'stockNote' ? 'reason' : field) as ImportColumn, message)
  return null
}

/** By id: what the lines name, and what those without id may mean. */
async function readCurrent({ db, now }: Deps, existing: ExistingLine[], news: NewProduct[]) {
  const ids = [...existing.map(({ id }) => id), ...news.flatMap(({ id, hash }) => [id, hash])]
  const names = news.map(({ name }) => name)
  const articles = news.flatMap(({ article }) => (article === '' ? [] : [article, `'${article}`]))
  const isMeant = sql`${managed} AND (${instruments.name} COLLATE NOCASE IN ${listed(names)} OR EXISTS (
    SELECT 1 FROM json_each(${instruments.attributes}) AS pair WHERE pair.value ->> 1 IN ${listed(articles)}))`
  const rows = await db
    .select({
      ...managedColumns(now()),
      stock: sql<number>`instruments.available_quantity`,
      unpaid: sql<number>`coalesce((
        SELECT sum(o.quantity) FROM orders o WHERE o.state = 'unpaid' AND o.instrument_id = instruments.id), 0)`,
      removedAt: instruments.removedAt,
    })
    .from(instruments)
    .where(or(inArray(instruments.id, listed(ids)), news.length > 0 ? isMeant : undefined))
  return new Map(rows.map((row) => [row.id, row]))
}

const listed = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`

function isStale({ version, pieces }: ExistingLine, product: Current | undefined): boolean {
  return pieces !== 0 && product !== undefined && version !== product.version
}

/** A version takes one import, so this names the stock change that a line made. */
function stockNoteOf({ reason, version }: Pick<ExistingLine, 'reason' | 'version'>): string {
  return `${reason} (import of version ${version})`
}

/** The ids of those lines whose stock change was applied before. */
async function findApplied({ db }: Deps, stale: ExistingLine[]): Promise<Set<string>> {
  if (stale.length === 0) return new Set()
  const wanted = JSON.stringify(stale.map((each) => [each.id, each.pieces, stockNoteOf(each)]))
  const found = await db.all<{ id: string }>(sql`
    SELECT log.instrument_id AS id FROM json_each(${wanted}) AS line
    CROSS JOIN audit_log AS log ON log.instrument_id = line.value ->> 0
    WHERE log.event = 'stock counted' AND log.stock_delta = line.value ->> 1 AND log.note = line.value ->> 2`)
  return new Set(found.map(({ id }) => id))
}

/** As the audit log has the stock that a file said. */
const countedNote = (pieces: number) => `import: ${pieces} in the file`

/** By id: the stock that the last import of a product said. */
async function findCounted({ db }: Deps, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const found = await db.all<{ id: string; pieces: number; last: number }>(sql`
    SELECT log.instrument_id AS id, max(log.id) AS last,
      CASE log.note WHEN 'opening stock' THEN log.stock_delta ELSE CAST(substr(log.note, 9) AS INTEGER) END AS pieces
    FROM json_each(${JSON.stringify(ids)}) AS line CROSS JOIN audit_log AS log ON log.instrument_id = line.value
    WHERE log.event = 'stock counted' AND (log.note = 'opening stock' OR log.note LIKE 'import: % in the file')
    GROUP BY log.instrument_id`)
  return new Map(found.map(({ id, pieces }) => [id, pieces]))
}

/** Nine at most, whatever the number of lines: each takes its rows from one JSON parameter. */
function statementsOf(deps: Deps, { id: actor }: { id: string }, draft: Draft) {
  const { db } = deps
  const at = deps.now()
  const { additions, updates, counts } = draft
  const worded = [...additions, ...updates.filter(({ isWorded }) => isWorded)].map(({ id }) => id)
  return [
    ...(updates.length > 0 ? [...keepPrices(deps, at, pricesOf(updates)), db.run(updateAll(updates, at))] : []),
    ...(additions.length > 0 ? [db.run(insertAll(additions, at))] : []),
    ...(updates.length + additions.length + counts.length > 0 ? [db.run(logAll(draft, actor, at))] : []),
    ...(worded.length > 0 ? indexInstruments(db, inArray(instruments.id, listed(worded))) : []),
  ]
}

const detailColumns = detailKeys.map((key) => [key, instruments[key].name] as const)
const columnNames = detailColumns.map(([, name]) => name)

/** SQL: the details of the rows of a JSON parameter, by the names of their columns, and these further values. */
function fileOf(rows: object[], further: string[]): SQL {
  const columns = [...detailColumns, ...further.map((name) => [name, name] as const)]
  const values = sql.raw(columns.map(([key, name]) => `value ->> '${key}' AS ${name}`).join(', '))
  return sql`(SELECT ${values}, key AS position FROM json_each(${JSON.stringify(rows)})) AS file`
}

/** SQL, for `keepPrices`. */
function pricesOf(updates: ChangedProduct[]): SQL {
  const rows = updates.map(({ id, details }) => ({ id, ...pick(details, detailKeys) }))
  return sql`(SELECT id, price_cents, sale_cents, sale_from_at, sale_until_at FROM ${fileOf(rows, ['id'])})`
}

/** A conflict makes the version NULL, which breaks NOT NULL and undoes the batch. */
function updateAll(updates: ChangedProduct[], at: number): SQL {
  const rows = updates.map(({ details, id, version, pieces }) => ({
    ...{ ...pick(details, detailKeys), id, version, pieces, name_key: nameKeyOf(details.name) },
  }))
  return sql`
    UPDATE instruments SET
      ${sql.raw([...columnNames, 'name_key'].map((column) => `${column} = file.${column}`).join(', '))},
      prior_cents = ${priorCents(at, pricesOf(updates))},
      version = CASE WHEN instruments.version = file.version AND ${managed}
        AND (file.pieces <= 0 OR ${fitsStock(sql`file.pieces`)}) THEN instruments.version + 1 END
    FROM ${fileOf(rows, ['id', 'version', 'pieces', 'name_key'])}
    WHERE instruments.id = file.id`
}

/** The statement does not see the slugs of its own rows. `position` milliseconds later, so that the list keeps the file's order. */
function insertAll(additions: NewProduct[], at: number): SQL {
  const slugs = new Set<string>()
  const rows = additions.map(({ id, details, foreign }) => {
    const slug = slugOf(details.name)
    const isTaken = slug === '' || slugs.has(slug)
    slugs.add(slug)
    const path = isTaken ? [slug, id].filter(Boolean).join('-') : slug
    const more = { id, slug: path, hidden: foreign?.isHidden ? 1 : 0, name_key: nameKeyOf(details.name) }
    return { ...pick(details, detailKeys), ...more }
  })
  return sql`
    INSERT INTO instruments (${sql.raw(columnNames.join(', '))}, name_key, id, slug, listed_at, hidden, removed_at, prior_cents)
    SELECT ${sql.raw(columnNames.join(', '))}, name_key, id,
      CASE WHEN EXISTS (SELECT 1 FROM instruments AS other WHERE other.slug = file.slug) THEN slug || '-' || id ELSE slug END,
      ${at} + position, hidden, iif(hidden, ${at}, NULL), iif(sale_from_at > ${at} + position, price_cents, NULL)
    FROM ${fileOf(rows, ['id', 'slug', 'hidden', 'name_key'])}`
}

function logAll({ updates, additions, counts }: Draft, actor: string, at: number): SQL {
  const rows = [
    ...updates.flatMap(({ id, note, pieces, stockNote }) => [
      ...(note ? [[id, 'instrument changed', 0, note]] : []),
      ...(pieces === 0 ? [] : [[id, 'stock counted', pieces, stockNote]]),
    ]),
    ...additions.flatMap(({ id, pieces, foreign }) => [
      [id, 'stock counted', pieces, 'opening stock'],
      ...(foreign?.isHidden ? [[id, 'instrument hidden', 0, '']] : []),
    ]),
    ...counts.map(({ id, stockNote }) => [id, 'stock counted', 0, stockNote]),
  ]
  return sql`
    INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
    SELECT ${at}, value ->> 1, ${actor}, value ->> 0, value ->> 2, value ->> 3 FROM json_each(${JSON.stringify(rows)})`
}
