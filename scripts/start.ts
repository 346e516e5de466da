import { buildIfStale } from '../dev/build'
import {
  askedToStop,
  demoAccounts,
  readPlace,
  requireFreePorts,
  startEnvironment,
  type Environment,
} from '../dev/environment'
import { startWorker, type RunningWorker } from '../dev/worker'

let surroundings: Environment | undefined
let worker: RunningWorker | undefined
const stopping = askedToStop()

try {
  const place = readPlace(process.env)
  await requireFreePorts(place)
  await buildIfStale(console.log)
  surroundings = await startEnvironment(place, console.log)
  console.log('Starting the shop …')
  worker = await startWorker({ port: place.port, vars: surroundings.vars })
  await requireAnswer(`${worker.url}/healthz`)
  const cron = setInterval(() => void worker?.scheduled().catch(() => undefined), 60_000)
  console.log(`\nReady: ${worker.url}\n${demoAccounts(place.sandboxPort)}`)
  await stopping
  clearInterval(cron)
  console.log('\nStopping …')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await worker?.stop()
  await surroundings?.stop()
}
process.exit()

async function requireAnswer(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The shop answers ${response.status} at ${url}: ${await response.text()}`)
}
