import { createClient, LibsqlError, type Client, type InStatement, type ResultSet } from '@libsql/client/http'
import { drizzle } from 'drizzle-orm/libsql/http'

export type Db = ReturnType<typeof openDatabase>

interface DatabaseAddress {
  url: string
  authToken?: string
  /** Lets the response be 503 instead of 500. */
  onOutage?: () => void
}

const timeout = 10_000

/** The queue is full: nothing was done. */
const tooManyRequests = 429

export function openDatabase({ url, authToken, onOutage }: DatabaseAddress) {
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
  return drizzle(retryWhenBusy(client, onOutage))
}

/**
 * A busy database did nothing, so a retry is safe. Batches use libSQL's `deferred` mode and must begin with their
 * write: after a read, they cannot take the lock when another writer was faster.
 */
function retryWhenBusy(client: Client, onOutage?: () => void): Client {
  const execute: (statement: InStatement) => Promise<ResultSet> = client.execute.bind(client)
  const batch = client.batch.bind(client)
  const reportOutage = (error: unknown): never => {
    if (error instanceof LibsqlError && (isOldSchema(error) || isDiskError(error))) onOutage?.()
    throw error
  }
  client.execute = (statement: InStatement) => retryBusyWrite(() => execute(statement)).catch(reportOutage)
  client.batch = (statements, mode) => retryBusyWrite(() => batch(statements, mode)).catch(reportOutage)
  return client
}

/** The Worker is newer than the database: it can be migrated, or the Worker rolled back (`npm run check -- upgrade-drill`). */
const isOldSchema = ({ message }: LibsqlError) => /no such (column|table)|has no column/.test(message)

/** sqld says SQLITE_IOERR of a full disk, too. */
const isDiskError = ({ code }: LibsqlError) => /^SQLITE_(FULL|IOERR)/.test(code)

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
  const cause = databaseErrorOf(error)
  return cause !== null && cause.code.startsWith('SQLITE_CONSTRAINT') && cause.message.includes(rule)
}

/** The database answered, and refused the statement itself. Over HTTP an error of SQL is SQLITE_UNKNOWN, or SQL_INPUT_ERROR before it runs. */
export function isStatementError(error: unknown): boolean {
  return /^SQL(ITE_(CONSTRAINT|ERROR|UNKNOWN|MISMATCH|TOOBIG)|_)/.test(databaseErrorOf(error)?.code ?? '')
}

/** Drizzle has it as the cause of its own. */
function databaseErrorOf(error: unknown): LibsqlError | null {
  const cause = error instanceof Error && !(error instanceof LibsqlError) ? error.cause : error
  return cause instanceof LibsqlError ? cause : null
}
