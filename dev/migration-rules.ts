/**
 * The tables with triggers that a migration drops. drizzle-kit rebuilds a table for what `ALTER TABLE … ADD` cannot do, and the triggers
 * go with the old one: money and stock depend on them.
 */
export function droppedTriggers(migration: string, earlier: string): string[] {
  const dropped = [...migration.matchAll(/DROP TABLE\s+(?:IF EXISTS\s+)?[`"]?(\w+)/gi)].map(([, table]) => table!)
  return dropped.filter((table) => new RegExp(`TRIGGER[^;]*? ON [\`"]?${table}[\`"]?\\s`, 'i').test(earlier))
}
