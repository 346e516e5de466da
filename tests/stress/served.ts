import { createHash, randomBytes } from 'node:crypto'
import { buildIfStale } from '../../dev/build'
import { freePort } from '../../dev/ports'
import { localVars } from '../../dev/environment'
import { startWorker, type RunningWorker } from '../../dev/worker'
import { hours } from './clock'
import { TestEnvironment, type Person } from './test-environment'

/** The built Worker in workerd, in front of a stand's database and sandbox. */
export class Served {
  private constructor(
    readonly stand: TestEnvironment,
    readonly worker: RunningWorker,
  ) {}

  static async open(log: (line: string) => void): Promise<Served> {
    await buildIfStale(log)
    const stand = await TestEnvironment.open()
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const vars = localVars({ origin, databaseUrl: stand.database.url, sandboxUrl: stand.sandbox.url })
    return new Served(stand, await startWorker({ port, vars, quiet: true }))
  }

  async close(): Promise<void> {
    await this.worker.stop()
    await this.stand.close()
  }

  /** Posts a form as a page of the shop does. */
  post(path: string, fields: Record<string, string>, cookie: string): Promise<Response> {
    return fetch(this.worker.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie, origin: this.worker.url },
      redirect: 'manual',
    })
  }

  /** Posts to the webhook, signed or not. */
  tell(body: string, signature?: string): Promise<Response> {
    return fetch(`${this.worker.url}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'stripe-signature': signature }),
      },
    })
  }
}

/** The cookie of somebody who has signed in. */
export async function signIn(stand: TestEnvironment, { id }: Person): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(secret).digest('hex')
  const now = Date.now()
  await stand.sql({
    sql: 'INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    args: [hash, id, now, now, now + 24 * hours],
  })
  return `session=${encodeURIComponent(Buffer.from(JSON.stringify(secret)).toString('base64'))}`
}
