import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { buildIfStale } from '../dev/build'
import {
  commandOf,
  fullDisk,
  stopRequested,
  readOptions,
  readOrigin,
  requireFreePorts,
  startEnvironment,
  type Environment,
} from '../dev/environment'
import { startWorker, type RunningWorker } from '../dev/worker'

let environment: Environment | undefined
let worker: RunningWorker | undefined
const stopping = stopRequested()

try {
  const known = readOptions(process.env)
  const options = { ...known, origin: readOrigin(process.env, known.port) }
  await requireFreePorts(options)
  await buildIfStale(console.log)
  environment = await startEnvironment(options, console.log)
  console.log('Starting the shop …')
  worker = await startWorker({ port: options.port, vars: environment.vars, dataDir: options.dataDir })
  await requireHealthy(`${worker.url}/healthz`)
  const cron = setInterval(() => void worker?.scheduled().catch(() => undefined), 60_000)
  console.log(`\nReady: ${environment.vars.SHOP_ORIGIN}\n${environment.hints}`)
  const death = await Promise.race([stopping, environment.died, worker.died])
  clearInterval(cron)
  if (death)
    throw new Error(`${death} The shop stops. This starts it again, with its data: ${commandOf(options, 'npm start')}`)
  console.log('\nStopping …')
} catch (error) {
  const full = fullDisk([process.cwd(), process.env.DATA_DIR || '.data', tmpdir()])
  if (full) console.error(`No space left on the disk of ${resolve(full)}. Make room, then start again.`)
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await worker?.stop()
  await environment?.stop()
}
process.exit()

async function requireHealthy(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The shop answers ${response.status} at ${url}: ${await response.text()}`)
}
