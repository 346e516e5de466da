import { createHash, randomBytes } from 'node:crypto'
import { buildIfStale } from '../../dev/build'
import { freePort } from '../../dev/ports'
import { localVars } from '../../dev/environment'
import { startWorker, type RunningWorker } from '../../dev/worker'
import { hours } from './clock'
import { TestEnvironment, type Person } from './test-environment'

export class WorkerEnvironment {
  private constructor(
    readonly env: TestEnvironment,
    readonly worker: RunningWorker,
  ) {}

  static async open(log: (line: string) => void): Promise<WorkerEnvironment> {
    await buildIfStale(log)
    const env = await TestEnvironment.open()
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const vars = localVars({ origin, database: env.database, sandboxUrl: env.sandbox.url })
    return new WorkerEnvironment(env, await startWorker({ port, vars, quiet: true }))
  }

  async close(): Promise<void> {
    await this.worker.stop()
    await this.env.close()
  }

  post(path: string, fields: Record<string, string>, cookie: string): Promise<Response> {
    return fetch(this.worker.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie, origin: this.worker.url },
      redirect: 'manual',
    })
  }

  postEvent(body: string, signature?: string): Promise<Response> {
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

export async function signIn(env: TestEnvironment, { id }: Person): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(secret).digest('hex')
  const now = Date.now()
  await env.sql({
    sql: 'INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    args: [hash, id, now, now, now + 24 * hours],
  })
  return `session=${encodeURIComponent(Buffer.from(JSON.stringify(secret)).toString('base64'))}`
}
