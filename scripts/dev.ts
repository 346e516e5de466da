import { spawn } from 'node:child_process'
import { endWithParent } from '../dev/end-with-parent'
import { stopRequested, readOptions, requireFreePorts, startEnvironment, type Environment } from '../dev/environment'

let environment: Environment | undefined
const stopping = stopRequested()

try {
  const options = readOptions(process.env)
  await requireFreePorts(options)
  environment = await startEnvironment(options, console.log)
  const { file, env } = endWithParent(process.execPath)
  const vite = spawn(
    file,
    [
      'node_modules/@remix-run/dev/dist/cli.js',
      'vite:dev',
      '--port',
      String(options.port),
      '--strictPort',
      '--host',
      '127.0.0.1',
    ],
    { stdio: 'inherit', env: { ...process.env, ...env, LOCAL_VARS: JSON.stringify(environment.vars) } },
  )
  console.log(environment.hints)
  const ended = new Promise((resolve) => vite.once('exit', resolve))
  await Promise.race([stopping, ended])
  vite.kill('SIGTERM')
  await ended
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await environment?.stop()
}
process.exit()
