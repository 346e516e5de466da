import { onTestFinished } from 'vitest'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/web'
import { productsCsv, productsHead, readProducts } from '../app/http/csv/product-csv.server'
import { listExportParts, readInBatches, type ExportPart } from '../app/store/catalog/feeds.server'
import { importInstruments, planImport } from '../app/store/catalog/import-instruments.server'
import type { Deps } from '../app/store/deps'
import { maxImportBytes, maxImportLines } from '../app/store/shared/limits'
import { isWhole } from './support/depth'
import { expect, openCopy, test, type Store } from './support/store'

async function fill({ deps }: Store, products: number, description: string): Promise<void> {
  const rows = sql`WITH RECURSIVE rows(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${products})`
  await deps.db.run(sql`
    ${rows} INSERT INTO instruments (id, name, family_slug, img, description, brand, price_cents, min_quantity, slug, listed_at)
    SELECT 'instrument-' || n, 'Violin no. ' || n, 'strings', '/plates/violin-4-4.svg', ${description}, 'Amati', 100 + n, 1, 'violin-' || n, n
    FROM rows`)
  await deps.db.run(sql`
    INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta)
    SELECT 1, 'stock counted', 'test', id, 1 + rowid % 9 FROM instruments`)
}

async function fileOf(deps: Deps, part: ExportPart): Promise<string> {
  // The import decodes the bytes of the file, which takes the byte order mark off.
  let text = productsHead.replace('\uFEFF', '')
  for await (const batch of readInBatches(deps, part)) text += productsCsv(batch)
  return text
}

test.runIf(isWhole)(
  'imports 12,000 products in the parts of their export: nothing changes here, and all are new elsewhere',
  async ({ shop }) => {
    await fill(shop, 12_000, 'Spruce and maple')
    const admin = await shop.admin()
    const parts = await listExportParts(shop.deps)
    expect(parts).toEqual([
      { first: 1, last: 5000, after: 0, through: 5000 },
      { first: 5001, last: 10_000, after: 5000, through: 10_000 },
      { first: 10_001, last: 12_000, after: 10_000, through: null },
    ])
    const files = await Promise.all(parts.map((part) => fileOf(shop.deps, part)))
    for (const [index, { first, last }] of parts.entries()) {
      const plan = await importInstruments(shop.deps, admin, readProducts(files[index]!))
      const unchanged = last - first + 1
      expect(plan).toMatchObject({ problems: [], added: 0, changed: 0, stockChanges: 0, otherStock: 0, unchanged })
    }

    const elsewhere = await openCopy()
    onTestFinished(elsewhere.close)
    const deps: Deps = { ...shop.deps, db: drizzle(elsewhere.client) }
    for (const file of files) {
      const lines = readProducts(file).map(({ line, cells }) => ({ line, cells: { ...cells, id: '', version: '' } }))
      expect(await importInstruments(deps, admin, lines)).toMatchObject({ problems: [], added: lines.length })
    }
    const totals = sql`SELECT count(*) AS products, sum(available_quantity) AS pieces, sum(price_cents) AS cents FROM instruments`
    expect(await deps.db.all(totals)).toMatchObject([{ products: 12_000 }])
    expect(await deps.db.all(totals)).toEqual(await shop.deps.db.all(totals))
  },
)

test('makes a part smaller than a file may be, however long the texts are', async ({ shop }) => {
  await fill(shop, 2500, `${'"ü" '.repeat(399)}end`)
  const parts = await listExportParts(shop.deps)
  let products = 0
  for (const part of parts) {
    const text = await fileOf(shop.deps, part)
    expect(new TextEncoder().encode(text).length).toBeLessThan(maxImportBytes)
    const lines = readProducts(text)
    expect((await planImport(shop.deps, lines)).problems).toEqual([])
    products += lines.length
  }
  expect([parts.length > 1, products]).toEqual([true, 2500])
})

test('leaves a product in its part when others are deleted and added meanwhile', async ({ shop }) => {
  await fill(shop, maxImportLines + 200, '')
  const [one, two, ...more] = await listExportParts(shop.deps)
  await shop.deps.db.run(sql`UPDATE instruments SET removed_at = 1 WHERE id IN ('instrument-7', 'instrument-5000')`)
  await shop.sells({ id: 'new' })
  const idsOf = async (part: ExportPart) => readProducts(await fileOf(shop.deps, part)).map(({ cells }) => cells.id)
  const ids = [await idsOf(one!), await idsOf(two!)]
  expect([more, ids[0]!.length, ids[0]!.at(-1)]).toEqual([[], maxImportLines - 2, 'instrument-4999'])
  expect([ids[1]!.length, ids[1]![0], ids[1]!.at(-1)]).toEqual([201, 'instrument-5001', 'new'])
})
