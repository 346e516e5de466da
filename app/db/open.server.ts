import {
  createClient,
  LibsqlError,
  type Client,
  type InArgs,
  type InStatement,
  type ResultSet,
  type TransactionMode,
} from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'

export type Db = ReturnType<typeof openDatabase>

interface DatabaseAddress {
  url: string
  authToken?: string
  /** Lets the response be 503 instead of 500. */
  onOutage?: () => void
  /** Called before each write that may enqueue an email; what it returns goes along. */
  onWrite?: () => AddedBatch | undefined
}

/** Statements that go along with a write, in its transaction: they cost no round trip. Nothing comes of them where the write fails. */
export interface AddedBatch {
  statements: InStatement[]
  done(results: ResultSet[]): void
}

let collected: AddedBatch = { statements: [], done: () => undefined }

/** Its batch is not sent: it waits for a write. */
const collector = createClient({ url: 'http://127.0.0.1' })
collector.batch = (statements) =>
  new Promise((done) => {
    collected = {
      statements: statements.map(plain),
      done,
    }
  })
const collecting = drizzle(collector)

const plain = (statement: InStatement | [string, InArgs?]): InStatement =>
  Array.isArray(statement) ? { sql: statement[0], args: statement[1] ?? [] } : statement

/** For `onWrite`: the one batch that `make` asks for. `result` comes when the write has been done. */
export function addedBatch<T>(make: (db: Db) => Promise<T>): AddedBatch & { result: Promise<T> } {
  const result = make(collecting)
  return { ...collected, result }
}

const timeout = 10_000

/** The queue is full: nothing was done. */
const tooManyRequests = 429

export function openDatabase({ url, authToken, onOutage, onWrite }: DatabaseAddress) {
  const client = createClient({
    url,
    authToken,
    async fetch(request: Request) {
      const { method, headers } = request
      const body = await request.text()
      try {
        const response = await retryWhenQueueIsFull(() =>
          fetch(request.url, {
            method,
            headers,
            ...(body && { body }),
            // The token must not follow a redirect.
            redirect: 'manual',
            signal: AbortSignal.timeout(timeout),
          }),
        )
        // A proxy in front of the database may have sent an error page.
        const isFromDatabase = response.headers.get('content-type')?.startsWith('application/json')
        if (response.status >= 500 || response.status === tooManyRequests || (response.ok && !isFromDatabase))
          onOutage?.()
        return response
      } catch (error) {
        onOutage?.()
        throw error
      }
    },
  })
  return drizzle(retryWhenBusy(client, { onOutage, onWrite }))
}

/**
 * A busy database did nothing, so a retry is safe. Batches use libSQL's `deferred` mode and must begin with their
 * write: after a read, they cannot take the lock when another writer was faster.
 */
function retryWhenBusy(client: Client, { onOutage, onWrite }: Pick<DatabaseAddress, 'onOutage' | 'onWrite'>): Client {
  const execute: (statement: InStatement) => Promise<ResultSet> = client.execute.bind(client)
  const batch = client.batch.bind(client)
  const reportOutage = (error: unknown): never => {
    if (error instanceof LibsqlError && (isOldSchema(error) || isDiskError(error))) onOutage?.()
    throw error
  }
  const runBoth = async (statements: InStatement[], added: AddedBatch, mode?: TransactionMode) => {
    const results = await retryBusyWrite(() => batch([...statements, ...added.statements], mode)).catch(reportOutage)
    added.done(results.splice(statements.length))
    return results
  }
  client.execute = async (statement: InStatement) => {
    const added = mayEnqueue(statement) ? onWrite?.() : undefined
    if (!added) return retryBusyWrite(() => execute(statement)).catch(reportOutage)
    const [result] = await runBoth([statement], added)
    return result!
  }
  client.batch = (statements, mode) => {
    const added = statements.some(mayEnqueue) ? onWrite?.() : undefined
    return added
      ? runBoth(statements.map(plain), added, mode)
      : retryBusyWrite(() => batch(statements, mode)).catch(reportOutage)
  }
  return client
}

/** The Worker is newer than the database: it can be migrated, or the Worker rolled back (`npm run check -- upgrade-drill`). */
const isOldSchema = ({ message }: LibsqlError) => /no such (column|table)|has no column/.test(message)

/** sqld says SQLITE_IOERR of a full disk, too. */
const isDiskError = ({ code }: LibsqlError) => /^SQLITE_(FULL|IOERR)/.test(code)

/** Not a read, and not a write to a table whose triggers enqueue nothing. */
function mayEnqueue(statement: InStatement | [string, unknown?]): boolean {
  const text = typeof statement === 'string' ? statement : Array.isArray(statement) ? statement[0] : statement.sql
  return !/^\s*(select\b|(insert into|update|delete from)\s+"?(payment_attempts|webhook_events|rate_limits|submissions|sessions|access_tokens|api_keys|drafts|health)\b)/i.test(
    text,
  )
}

/** Milliseconds. Short, so that the database is not idle while customers wait. */
const [firstWait, longestWait, patience] = [10, 160, 4_000]

async function retryBusyWrite<T>(write: () => Promise<T>): Promise<T> {
  const until = Date.now() + patience
  for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof LibsqlError) || error.code !== 'SQLITE_BUSY' || Date.now() > until) throw error
      await sleep(wait)
    }
  }
}

async function retryWhenQueueIsFull(send: () => Promise<Response>): Promise<Response> {
  const until = Date.now() + patience
  for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
    const response = await send()
    if (response.status !== tooManyRequests || Date.now() > until) return response
    await response.body?.cancel()
    await sleep(wait)
  }
}

/** With jitter, so that parallel retries do not collide again. */
function sleep(wait: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait / 2 + (Math.random() * wait) / 2))
}

/** A trigger, a CHECK, a foreign key or a unique index rejected the statement; `rule` is a part of its message. */
export function isBrokenRule(error: unknown, rule = ''): boolean {
  const cause = error instanceof Error && !(error instanceof LibsqlError) ? error.cause : error
  return cause instanceof LibsqlError && cause.code.startsWith('SQLITE_CONSTRAINT') && cause.message.includes(rule)
}
