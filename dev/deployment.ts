import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import { Config, isPlain, secretNames } from '../app/http/config.server'

export interface Target {
  env: string
  /** Another file than the repository's wrangler.toml. */
  config?: string | undefined
}

/** Wrangler's own type comes from a package that it does not bring. */
export interface Settings {
  vars: Record<string, string | number | boolean>
  routes?: (string | { pattern: string; custom_domain?: boolean })[]
  placement?: { hostname?: string; host?: string }
  r2_buckets: { binding: string; bucket_name?: string }[]
  images?: { binding: string }
  triggers?: { crons?: string[] }
  definedEnvironments?: string[]
}

export interface Problem {
  name: string
  what: string
  remedy: string
}

/** The file that `--config` names, from the folder in which npm was called. Throws if there is none. */
export function configAt(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const file = resolve(process.env.INIT_CWD || '.', path)
  if (existsSync(file)) return file
  throw new Error(`--config: there is no file ${file}.`)
}

/** What wrangler makes of the file, for one environment. */
export function readSettings({ env, config }: Target): Settings {
  return readConfig({ env, config }, { hideWarnings: true }) as Settings
}

/**
 * A name with `.example` can be nobody's (RFC 2606), nor can a North American number with 555-01. With the VAT number and the ellipsis of wrangler.toml's
 * comments.
 */
const placeholder = /\.example\b|_example\b|\+1\D*(?:\d{3}\D*)?555\D*01\d\D?\d|IT01234567897|…/

/** Those that these variables need. */
const secretsOf = (vars: Settings['vars']) =>
  secretNames.filter((name) => name !== 'GOOGLE_CLIENT_SECRET' || 'GOOGLE_CLIENT_ID' in vars)

/**
 * Everything that is wrong with the variables, secrets and bindings of an environment, and what it does without. Without
 * `secrets` it takes them for complete.
 */
export function findProblems(
  { vars, routes = [], placement, r2_buckets: buckets, images, triggers }: Settings,
  { env, config, secrets = secretsOf(vars) }: Target & { secrets?: readonly string[] },
): { problems: Problem[]; off: string[] } {
  const problems: Problem[] = []
  const add = (name: string, what: string, remedy: string) => void problems.push({ name, what, remedy })
  const section = `[env.${env}]`
  const edit = (what: string) => `in ${config ?? 'wrangler.toml'} set ${what}`
  const putSecret = (name: string) => `npx wrangler ${wranglerArgs({ env, config }, ['secret', 'put', name]).join(' ')}`
  const isSecret = (name: string) => secretNames.some((one) => one === name)

  // Cloudflare tells the names of secrets, not their values.
  const stored = Object.fromEntries(secrets.map((name) => [name, '*'.repeat(64)]))
  const values: Record<string, unknown> = { ...vars, ...stored }
  const issues = Config.safeParse(values).error?.issues ?? []
  const wrong = issues.map(({ path, message }) => ({ name: String(path[0]), message }))
  if (!('DATABASE_AUTH_TOKEN' in values)) wrong.push({ name: 'DATABASE_AUTH_TOKEN', message: '' })
  for (const { name, message } of wrong) {
    const remedy = isSecret(name) ? putSecret(name) : edit(`it under [env.${env}.vars]`)
    add(name, name in values ? `is wrong: ${message}` : 'is missing', remedy)
  }
  for (const name of secretNames.filter((name) => name in vars)) {
    add(name, `is a secret and stands in ${config ?? 'wrangler.toml'}`, `delete it; ${putSecret(name)}`)
  }

  const domains = routes.map(patternOf)
  const probed = placement?.hostname ?? placement?.host
  const texts: [string, unknown][] = [
    ...Object.entries(vars),
    ...domains.map((domain): [string, string] => ['routes', domain]),
    ['placement', probed],
  ]
  for (const [name, value] of texts.filter(([, value]) => placeholder.test(String(value)))) {
    add(name, `is still the placeholder "${String(value)}"`, edit(`yours under ${section}`))
  }

  const [shop, database] = [hostOf(vars.SHOP_ORIGIN), hostOf(vars.DATABASE_URL)]
  if (shop && isPlain(vars.SHOP_ORIGIN)) {
    add('SHOP_ORIGIN', 'is not encrypted', edit('an https address'))
  }
  if (shop && !domains.includes(shop) && (domains.length > 0 || !shop.endsWith('.workers.dev'))) {
    const what = `do not serve ${shop}, the host of SHOP_ORIGIN`
    add('routes', what, edit(`{ pattern = "${shop}", custom_domain = true } under ${section}`))
  }
  if (probed && database && probed.replace(/:\d+$/, '') !== database.replace(/:\d+$/, '')) {
    const what = `is near ${probed}, and the database is ${database}`
    add('placement', what, edit(`hostname = "${database}" under ${section}`))
  }

  if (!triggers?.crons?.length) {
    const what = 'have no cron: nothing asks Stripe about open payments, releases holds or sends what waits'
    add('triggers', what, edit('crons = ["*/5 * * * *"] under [triggers]'))
  }

  const hsts = Config.shape.HSTS.safeParse(vars.HSTS).data
  if (hsts && !readFileSync('public/_headers', 'utf8').includes(`Strict-Transport-Security: ${hsts}\n`)) {
    add('HSTS', 'is not what public/_headers says', `write "${hsts}" there`)
  }

  const hasBucket = buckets.some(({ binding }) => binding === 'PICTURES')
  const hasImages = images?.binding === 'IMAGES'
  if (hasBucket !== hasImages) {
    const [name, other] = hasBucket ? ['IMAGES', 'PICTURES'] : ['PICTURES', 'IMAGES']
    const remedy = `${edit(`it under ${section}`)}, or delete ${other}`
    add(name, `is missing: uploads need it beside ${other}`, remedy)
  }

  const off = [
    !('GOOGLE_CLIENT_ID' in values) && 'Sign-in with Google is off: no GOOGLE_CLIENT_ID.',
    !('VAT_PERCENT' in values) && 'Invoices show no tax: no SELLER_VAT_NUMBER, no VAT_PERCENT.',
    !hasBucket && !hasImages && 'Uploading pictures is off: no PICTURES, no IMAGES.',
    env === 'production' && isTestMode(vars) && 'Cards are not charged: STRIPE_PUBLISHABLE_KEY is a test key.',
  ]
  return { problems, off: off.filter((line) => line !== false) }
}

const patternOf = (route: NonNullable<Settings['routes']>[number]) =>
  typeof route === 'string' ? route : route.pattern

/** What Cloudflare is asked for beside the Worker, to be read once more. */
export function describeTriggers({ routes = [], triggers, vars }: Settings): string[] {
  const domains = routes.map((route) => {
    const isDomain = typeof route === 'object' && route.custom_domain === true
    return `${isDomain ? 'Domain' : 'Route'}: ${patternOf(route)}${isDomain ? ', with its DNS record and certificate' : ''}.`
  })
  return [
    ...(domains.length > 0 ? domains : [`Domain: none of yours, ${String(vars.SHOP_ORIGIN)}.`]),
    ...(triggers?.crons ?? []).map((cron) => `Cron trigger: ${cron} (UTC).`),
  ]
}

export function isTestMode({ STRIPE_PUBLISHABLE_KEY: key }: Settings['vars']): boolean {
  return String(key).startsWith('pk_test_')
}

function hostOf(address: unknown): string | null {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).host : null
}

interface Answer {
  ok: boolean
  stdout: string
  error: string
}

function wrangler(target: Target, args: string[]): Promise<Answer> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' }
  return new Promise((resolve) =>
    execFile('node_modules/.bin/wrangler', wranglerArgs(target, args), { env }, (error, stdout, stderr) => {
      const said = stripVTControlCharacters(stderr).replaceAll(/\s+/g, ' ')
      resolve({
        ok: error === null,
        stdout,
        error: /\[ERROR\] (.+?)(?: If you think| 🪵|$)/.exec(said)?.[1] ?? (said.trim() || 'no answer'),
      })
    }),
  )
}

export function wranglerArgs({ env, config }: Target, args: string[]): string[] {
  return [...args, '--env', env, ...(config ? ['--config', config] : [])]
}

/** The names of the Worker's secrets; a text says why Cloudflare did not answer. Before the first deployment it has none. */
export async function listSecrets(target: Target): Promise<string[] | string> {
  const { ok, stdout, error } = await wrangler(target, ['secret', 'list', '--format', 'json'])
  if (ok) return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
  return /^Worker .* not found/.test(error) ? [] : error
}

/** Not `r2 bucket info`: that also asks for figures, which a token may not see. */
export async function findBucketProblems(target: Target, { r2_buckets: buckets }: Settings): Promise<Problem[]> {
  const names = buckets.map(({ bucket_name: name }) => name ?? '')
  const answers = await Promise.all(names.map((name) => wrangler(target, ['r2', 'bucket', 'lifecycle', 'list', name])))
  return answers.flatMap(({ ok, error }, at) => {
    const what = `cannot be seen: ${error}`
    return ok ? [] : [{ name: `R2 bucket ${names[at]}`, what, remedy: `npx wrangler r2 bucket create ${names[at]}` }]
  })
}

/** The version that serves now; null before the first deployment. */
export async function currentVersion(target: Target): Promise<string | null> {
  const { ok, stdout } = await wrangler(target, ['deployments', 'status', '--json'])
  return ok ? ((JSON.parse(stdout) as { versions: { version_id: string }[] }).versions[0]?.version_id ?? null) : null
}
