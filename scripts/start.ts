import { buildIfStale } from '../dev/build'
import {
  stopRequested,
  demoAccounts,
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
  const defaults = readOptions(process.env)
  const options = { ...defaults, origin: readOrigin(process.env, defaults.port) }
  await requireFreePorts(options)
  await buildIfStale(console.log)
  environment = await startEnvironment(options, console.log)
  console.log('Starting the shop …')
  worker = await startWorker({ port: options.port, vars: environment.vars, dataDir: options.dataDir })
  await requireHealthy(`${worker.url}/healthz`)
  const cron = setInterval(() => void worker?.scheduled().catch(() => undefined), 60_000)
  console.log(`\nReady: ${environment.vars.SHOP_ORIGIN}\n${demoAccounts(options.sandboxPort)}`)
  await stopping
  clearInterval(cron)
  console.log('\nStopping …')
} catch (error) {
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
