import { spawn } from 'node:child_process'
import { buildIfStale } from './build'
import { migrateDatabase } from './database'
import {
  currentVersion,
  describeTriggers,
  findBucketProblems,
  findProblems,
  isTestMode,
  listSecrets,
  readSettings,
  wranglerArgs,
  type Problem,
  type Target,
} from './deployment'
import { smokeTest } from './smoke-test'

interface Shell {
  /** For migrating. */
  authToken: string | undefined
  say: (line: string) => void
}

/** Says a line for each problem, and returns their number. Asks no database. */
export async function check(target: Target, { authToken, say }: Shell): Promise<number> {
  const { env } = target
  const settings = readSettings(target)
  const [secrets, bucketProblems] = await Promise.all([listSecrets(target), findBucketProblems(target, settings)])
  const isSilent = typeof secrets === 'string'
  const { problems, off } = findProblems(settings, { ...target, ...(!isSilent && { secrets }) })
  const remedy = 'npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID'
  const all: Problem[] = [
    ...problems,
    ...(isSilent ? [{ name: 'Cloudflare', what: `cannot be asked for secrets: ${secrets}`, remedy }] : bucketProblems),
  ]
  if (!authToken) {
    const remedy = `DATABASE_AUTH_TOKEN=… npm run deploy -- --env ${env}`
    all.push({ name: 'DATABASE_AUTH_TOKEN', what: 'is missing in this shell, to migrate', remedy })
  }
  return report(env, { problems: all, off: [...describeTriggers(settings), ...off] }, say)
}

/** The same for the file alone: it needs no account. */
export function checkFile(target: Target, say: Shell['say']): number {
  const settings = readSettings(target)
  const { problems, off } = findProblems(settings, target)
  return report(target.env, { problems, off: [...describeTriggers(settings), ...off] }, say)
}

function report(env: string, { problems, off }: ReturnType<typeof findProblems>, say: Shell['say']): number {
  for (const { name, what, remedy } of problems) say(`${env}: ${name} ${what}. Remedy: ${remedy}`)
  for (const line of off) say(`${env}: ${line}`)
  return problems.length
}

interface Deployment extends Shell {
  dryRun: boolean
  account: { email: string; password: string } | undefined
  patienceMs: number
  quiet?: boolean
}

/** Builds, migrates, deploys and tests. Throws at the first that fails, with the way back if the new version serves. */
export async function deploy(target: Target, deployment: Deployment): Promise<void> {
  const { dryRun, authToken, account, patienceMs, say, quiet } = deployment
  const { vars } = readSettings(target)
  const [databaseUrl, origin] = [String(vars.DATABASE_URL), String(vars.SHOP_ORIGIN).replace(/\/+$/, '')]
  await buildIfStale(say)
  if (dryRun) return runWrangler(target, ['--dry-run'])
  const before = await currentVersion(target)
  say(`Migrating ${new URL(databaseUrl).host} …`)
  await migrateDatabase({ url: databaseUrl, ...(authToken && { authToken }) })
  say('Deploying …')
  await runWrangler(target, [], quiet)
  const wayBack = before
    ? `To go back: npx wrangler ${wranglerArgs(target, ['rollback', before]).join(' ')}\n` +
      'The database stays as it is: migrations only add, so the Worker before this one works with it.'
    : 'This was the first deployment: there is no version to go back to.'
  say(`Testing ${origin} …`)
  try {
    await smokeTest({ origin, account: isTestMode(vars) ? account : undefined, patienceMs, log: say })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`\nTHE DEPLOYED SHOP DOES NOT WORK: ${reason}\n${wayBack}`, { cause: error })
  }
  say(`Deployed. ${wayBack}`)
}

function runWrangler(target: Target, args: string[], quiet = false): Promise<void> {
  // Named here, since the paths of a file elsewhere begin at its own folder.
  const worker = ['server.ts', '--assets', 'build/client']
  const child = spawn('node_modules/.bin/wrangler', wranglerArgs(target, ['deploy', ...worker, ...args]), {
    stdio: quiet ? 'ignore' : 'inherit',
    env: { ...process.env, NODE_ENV: 'production', WRANGLER_SEND_METRICS: 'false' },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('wrangler deploy failed: see above.'))))
  })
}
