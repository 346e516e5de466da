/**
 * The tables with triggers that a migration drops. drizzle-kit rebuilds a table for what `ALTER TABLE … ADD` cannot do, and the triggers
 * go with the old one: money and stock depend on them.
 */
export function droppedTriggers(migration: string, earlier: string): string[] {
  const dropped = [...migration.matchAll(/DROP TABLE\s+(?:IF EXISTS\s+)?[`"]?(\w+)/gi)].map(([, table]) => table!)
  return dropped.filter((table) => new RegExp(`TRIGGER[^;]*? ON [\`"]?${table}[\`"]?\\s`, 'i').test(earlier))
}

/** Of drizzle-kit's snapshots, what is read here. */
export interface Snapshot {
  id: string
  prevId: string
  tables: Record<string, SnapshotTable>
}

interface SnapshotTable {
  columns: Record<string, object>
  indexes: Record<string, object>
  foreignKeys: Record<string, object>
  checkConstraints: Record<string, { name: string; value: string }>
}

const breakpoint = '--> statement-breakpoint'

/**
 * The migration with `ALTER TABLE … ADD` in place of each rebuild that only adds columns and their CHECKs, which SQLite can add to a table
 * as it is. drizzle-kit rebuilds it for a CHECK.
 */
export function addInPlace(migration: string, before: Snapshot, after: Snapshot): string {
  let statements = migration.split(breakpoint).map((statement) => statement.trim())
  for (const [, table] of migration.matchAll(/CREATE TABLE `__new_(\w+)`/g)) {
    const added = addedTo(before.tables[table!]!, after.tables[table!]!)
    if (!added) continue
    const rebuilt = statements.find((statement) => statement.startsWith(`CREATE TABLE \`__new_${table}\``))!
    const columns = added.columns.map((column) => {
      const line = rebuilt.split('\n').find((line) => line.trim().startsWith(`\`${column}\` `))!
      // A CHECK of two new columns stands at the later one.
      const checks = added.checks.filter((check) => lastOf(added.columns, check.value) === column)
      return [line.trim().replace(/,$/, ''), ...checks.map(({ name, value }) => `CONSTRAINT "${name}" CHECK(${value})`)]
    })
    const alters = columns.map((parts) => `ALTER TABLE \`${table}\` ADD ${parts.join(' ')};`)
    const position = statements.indexOf(rebuilt)
    statements.splice(position, 1, ...alters)
    const kept = Object.keys(before.tables[table!]!.indexes)
    statements = statements.filter(
      (statement) =>
        !statement.includes(`\`__new_${table}\``) &&
        statement !== `DROP TABLE \`${table}\`;` &&
        !kept.some((index) => new RegExp(`^CREATE (UNIQUE )?INDEX \`${index}\` ON \`${table}\``).test(statement)),
    )
  }
  if (!statements.some((statement) => statement.includes('`__new_')))
    statements = statements.filter((statement) => !statement.startsWith('PRAGMA foreign_keys'))
  return statements.join(`${breakpoint}\n`)
}

/** Null: more has changed than new columns and CHECKs of them. */
function addedTo(before: SnapshotTable, after: SnapshotTable) {
  const columns = Object.keys(after.columns).filter((name) => !(name in before.columns))
  const checks = Object.values(after.checkConstraints).filter(({ name }) => !(name in before.checkConstraints))
  const isSame = (key: 'columns' | 'foreignKeys' | 'checkConstraints', ignored: string[]) =>
    JSON.stringify(sorted(before[key])) === JSON.stringify(sorted(after[key], ignored))
  const isOnlyMore =
    isSame('columns', columns) &&
    isSame('foreignKeys', []) &&
    isSame(
      'checkConstraints',
      checks.map(({ name }) => name),
    )
  return isOnlyMore && checks.every(({ value }) => lastOf(columns, value)) ? { columns, checks } : null
}

function sorted(entries: Record<string, object>, ignored: string[] = []) {
  return Object.entries(entries)
    .filter(([name]) => !ignored.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

/** The last of these columns that the expression names. */
function lastOf(columns: string[], expression: string): string | undefined {
  return columns.findLast((column) => new RegExp(`["\`]${column}["\`]`).test(expression))
}
