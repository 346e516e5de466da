import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { isStatementError } from '../../db/open.server'
import { backInStock, lowStock } from '../catalog/stock-emails.server'
import type { Deps } from '../deps'
import { webhooks } from '../integrations/webhook-events.server'
import { beginReading, endReading, isBehind, type LogReader } from '../log/reader.server'
import { orderEmails } from '../orders/order-emails.server'
import { salesFigures } from '../orders/sales-figures.server'
import { quoteEmails } from '../quotes/quote-emails.server'

export const readers: LogReader[] = [orderEmails, quoteEmails, lowStock, backInStock, webhooks, salesFigures]

type Statement = BatchItem<'sqlite'>
type Results<S extends Statement[]> = { [I in keyof S]: S[I]['_']['result'] }

/**
 * Lets each reader read up to 500 events that are new to it, and runs `along` after them, in one transaction: twice is once, whoever dies. If it
 * fails, each runs alone, so that no reader delays another; what failed is reported, and read again the next time (`isWhole`: nothing has).
 */
export async function runReaders<S extends Statement[]>(
  deps: Deps,
  along: [...S],
): Promise<{ results: Results<S>; isWhole: boolean }> {
  const { db } = deps
  const run = (some: LogReader[]) => {
    const which = some.length === 1 ? sql`name = ${some[0]!.name}` : sql`true`
    const statements = some.flatMap((reader) => reader.statements)
    return [beginReading(which), ...statements, endReading(which)].map((statement) => db.run(statement))
  }
  const batch = async (statements: Statement[]) => {
    const [first, ...others] = statements
    return db.batch([first!, ...others])
  }
  try {
    const results = await batch([...run(readers), ...along])
    return { results: results.slice(-along.length) as unknown as Results<S>, isWhole: true }
  } catch (error) {
    if (!isStatementError(error)) throw error
  }
  const failed: [error: unknown, name: string][] = []
  for (const reader of readers) {
    await batch(run([reader])).catch((error: unknown) => {
      if (!isStatementError(error)) throw error
      failed.push([error, reader.name])
    })
  }
  const results = (await batch(along)) as unknown as Results<S>
  for (const [error, name] of failed) deps.report('reader of the log failed', error, name)
  return { results, isWhole: failed.length === 0 }
}

/** For a batch, after the readers: whether webhooks are due, and whether the readers have more to read. */
export function selectNews(db: Deps['db'], at: number) {
  return db.all<{ areWebhooksDue: number; isBehind: number }>(sql`SELECT ${isBehind} AS isBehind, EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE state = 'waiting' AND due_at <= ${at} AND lease_until <= ${at}) AS areWebhooksDue`)
}

/** Reads until there is no more, or 10,000 events have been read. True: webhooks are due. */
export async function readLog(deps: Deps): Promise<boolean> {
  for (let round = 1; ; round++) {
    const { results, isWhole } = await runReaders(deps, [selectNews(deps.db, deps.now())])
    const [[news]] = results
    if (round === 20 || !isWhole || news!.isBehind === 0) return news!.areWebhooksDue === 1
  }
}
