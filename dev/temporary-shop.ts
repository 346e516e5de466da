import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build'
import type { DatabaseAddress } from './database'
import { freePort } from './ports'
import { startEnvironment } from './environment'
import { startWorker } from './worker'

export interface TemporaryShop {
  url: string
  sandboxUrl: string
  database: DatabaseAddress
  scheduled: () => Promise<void>
  cutOff: () => Promise<void>
  stop: () => Promise<void>
}

export async function openTemporaryShop({
  demo = true,
  host = '127.0.0.1',
}: {
  demo?: boolean
  /** `localhost`: passkeys need a name. */
  host?: string
} = {}): Promise<TemporaryShop> {
  await buildIfStale(() => undefined)
  const dataDir = mkdtempSync(join(tmpdir(), 'cadenza-own-'))
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const environment = await startEnvironment(
    { port, sandboxPort, dbPort, dataDir, seedDemo: demo, origin: `http://${host}:${port}` },
    () => undefined,
  )
  const worker = await startWorker({ port, vars: environment.vars, dataDir, quiet: true }).catch(
    async (error: unknown) => {
      await environment.stop()
      throw error
    },
  )
  return {
    url: worker.url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    database: environment.database,
    scheduled: worker.scheduled,
    cutOff: environment.stop,
    async stop() {
      await worker.stop()
      await environment.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
