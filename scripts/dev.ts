import { spawn } from 'node:child_process'
import {
  askedToStop,
  demoAccounts,
  readPlace,
  requireFreePorts,
  startEnvironment,
  type Environment,
} from '../dev/environment'

let surroundings: Environment | undefined
const stopping = askedToStop()

try {
  const place = readPlace(process.env)
  await requireFreePorts(place)
  surroundings = await startEnvironment(place, console.log)
  const vite = spawn(
    process.execPath,
    [
      'node_modules/@remix-run/dev/dist/cli.js',
      'vite:dev',
      '--port',
      String(place.port),
      '--strictPort',
      '--host',
      '127.0.0.1',
    ],
    { stdio: 'inherit', env: { ...process.env, LOCAL_VARS: JSON.stringify(surroundings.vars) } },
  )
  console.log(demoAccounts(place.sandboxPort))
  const ended = new Promise((resolve) => vite.once('exit', resolve))
  await Promise.race([stopping, ended])
  vite.kill('SIGTERM')
  await ended
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await surroundings?.stop()
}
process.exit()
