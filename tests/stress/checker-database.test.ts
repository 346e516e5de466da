import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDatabase } from '../../dev/database'
import { readAll } from './checker/database'

test('reads more rows than one answer of the server holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-checker-'))
  const database = await startDatabase({ folder })
  onTestFinished(async () => {
    await database.stop()
    rmSync(folder, { recursive: true })
  })
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, hex(zeroblob(500)) AS text FROM n`
  const { many, few, none } = await readAll(database, {
    many: numbers(12_001),
    few: numbers(3),
    none: 'SELECT 1 AS i WHERE 0',
  })
  expect([many.length, many.at(-1)?.i, few.length, none]).toEqual([12_001, 12_001, 3, []])
  expect(new Set(many.map(({ i }) => i)).size).toBe(12_001)
})
