import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { LibsqlError } from '@libsql/client/http'
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
 * fails, each runs alone, so that no reader delays another; what failed is reported, and read again the next time.
 */
export async function runReaders<S extends Statement[]>(deps: Deps, along: [...S]): Promise<Results<S>> {
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
    return results.slice(-along.length) as unknown as Results<S>
  } catch (error) {
    if (!isOfStatement(error)) throw error
  }
  const results = await batch(along)
  for (const reader of readers) {
    await batch(run([reader])).catch((error: unknown) => {
      if (!isOfStatement(error)) throw error
      deps.report('reader of the log failed', error, reader.name)
    })
  }
  return results as unknown as Results<S>
}

/** For a batch, after the readers: whether webhooks are due, and whether the readers have more to read. */
export function selectNews(db: Deps['db'], at: number) {
  return db.all<{ areWebhooksDue: number; isBehind: number }>(sql`SELECT ${isBehind} AS isBehind, EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE state = 'waiting' AND due_at <= ${at} AND lease_until <= ${at}) AS areWebhooksDue`)
}

/** Reads until there is no more, or 10,000 events have been read. True: webhooks are due. */
export async function readLog(deps: Deps): Promise<boolean> {
  let news
  for (let round = 0; round < 20 && news?.isBehind !== 0; round++)
    [[news]] = await runReaders(deps, [selectNews(deps.db, deps.now())])
  return news?.areWebhooksDue === 1
}

/** The database answered, and said no. */
function isOfStatement(error: unknown): boolean {
  const cause = error instanceof Error && !(error instanceof LibsqlError) ? error.cause : error
  return cause instanceof LibsqlError && /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG)/.test(cause.code)
}
