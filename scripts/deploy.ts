/* npm run deploy -- --env NAME: check, build, migrate, deploy, smoke test. It stops at the first that fails. */
import { parseArgs } from 'node:util'
import { checkPackages } from '../dev/audit'
import { check, checkFile, deploy } from '../dev/deploy'
import { configAt, readSettings } from '../dev/deployment'

const say = console.log
const { DATABASE_AUTH_TOKEN: authToken, SMOKE_EMAIL: email, SMOKE_PASSWORD: password, SMOKE_SECONDS } = process.env

try {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      config: { type: 'string' },
      check: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
    },
  })
  const { check: onlyCheck = false, 'dry-run': dryRun = false } = values
  const config = configAt(values.config)
  const known = readSettings({ env: '', config }).definedEnvironments ?? []
  const environments = values.env === undefined ? known : known.filter((name) => name === values.env)
  const [env] = environments
  if (!env || (environments.length > 1 && !onlyCheck)) {
    throw new Error(`Which environment? npm run deploy -- --env ${known.join('|')} [--check|--dry-run]`)
  }
  let problemCount = await checkPackages(say)
  for (const env of environments) {
    const target = { env, config }
    problemCount += dryRun ? checkFile(target, say) : await check(target, { authToken, say })
  }
  if (problemCount > 0) throw new Error(`Nothing was changed: ${problemCount} to put right.`)
  say('The configuration is complete.')
  const account = email && password ? { email, password } : undefined
  const patienceMs = Number(SMOKE_SECONDS || 60) * 1000
  if (!onlyCheck) await deploy({ env, config }, { dryRun, authToken, account, patienceMs, say })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()
