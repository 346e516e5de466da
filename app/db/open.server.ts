import { createClient, LibsqlError, type Client, type InStatement, type ResultSet } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'

export type Db = ReturnType<typeof openDatabase>

interface DatabaseAddress {
  url: string
  authToken?: string
  /** Told when the database could not be reached, so that the answer can say 503 and not 500. */
  onOutage?: () => void
}

/** Milliseconds that one round trip may take before the database counts as away. */
const timeout = 10_000

/** What a server answers that has as many callers waiting as it takes: nothing was done. */
const full = 429

/** The database at `url`, over HTTP: the same client in workerd, in Node and in tests. */
export function openDatabase({ url, authToken, onOutage }: DatabaseAddress) {
  const client = createClient({
    url,
    authToken,
    async fetch(request: Request) {
      const { method, headers } = request
      const body = await request.text()
      try {
        const response = await fullRetry(() =>
          fetch(request.url, { method, headers, ...(body && { body }), signal: AbortSignal.timeout(timeout) }),
        )
        // Something in front of the database may answer in its place.
        const isItsOwn = response.headers.get('content-type')?.startsWith('application/json')
        if (response.status >= 500 || response.status === full || (response.ok && !isItsOwn)) onOutage?.()
        return response
      } catch (error) {
        onOutage?.()
        throw error
      }
    },
  })
  return drizzle(retryWhenBusy(client))
}

/**
 * A write that finds the database busy was not done, and is tried again for a while. Batches keep libSQL's `deferred` mode,
 * so they must begin with a write if they have one: one that reads first cannot take the lock any more when another writer
 * was faster.
 */
function retryWhenBusy(client: Client): Client {
  const execute: (statement: InStatement) => Promise<ResultSet> = client.execute.bind(client)
  const batch = client.batch.bind(client)
  client.execute = (statement: InStatement) => busyRetry(() => execute(statement))
  client.batch = (statements, mode) => busyRetry(() => batch(statements, mode))
  return client
}

async function busyRetry<T>(write: () => Promise<T>): Promise<T> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof LibsqlError) || error.code !== 'SQLITE_BUSY' || wait > 2000) throw error
      await sleep(wait)
    }
  }
}

async function fullRetry(ask: () => Promise<Response>): Promise<Response> {
  for (let wait = 10; ; wait *= 2) {
    const response = await ask()
    if (response.status !== full || wait > 2000) return response
    await response.body?.cancel()
    await sleep(wait)
  }
}

/** Not all at the same moment again: half of the wait is chance. */
function sleep(wait: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait / 2 + (Math.random() * wait) / 2))
}

/** True of the error that a rule of the database was about to be broken: a trigger, a CHECK, a unique index. */
export function isBrokenRule(error: unknown): boolean {
  const cause = error instanceof Error && !(error instanceof LibsqlError) ? error.cause : error
  return cause instanceof LibsqlError && cause.code.startsWith('SQLITE_CONSTRAINT')
}
