import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isNotNull } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, onTestFinished, test as plain, vi } from 'vitest'
import { orders } from '../app/db/schema'
import { apiOptions, webhookEvents } from '../app/gateways/stripe.server'
import { Config, secretNames } from '../app/http/config.server'
import { deploy } from '../dev/deploy'
import { describeTriggers, findProblems, readSettings, type Settings } from '../dev/deployment'
import { findGoogleProblem, registerWebhook } from '../dev/providers'
import { googleClientId } from '../sandbox/keys'
import { startSandbox } from '../sandbox/serve'
import { startFakeCloudflare } from './support/fake-cloudflare'
import { listen } from './support/listen'
import { test } from './support/shop'

/** The repository's file with its placeholders filled in. */
const filled = readFileSync('wrangler.toml', 'utf8')
  .replaceAll('.example', '.instruments.shop')
  .replaceAll('_example', '_51H')
  .replaceAll('+1 555 010', '+39 0372 400')
  .replaceAll('IT01234567897', 'IT01234567898')
  .replaceAll('….apps', '4711.apps')
  .replaceAll(/^# ((GOOGLE_CLIENT_ID|SELLER_VAT_NUMBER|VAT_PERCENT) =)/gm, '$1')

function configFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'wrangler.toml')
  writeFileSync(file, text)
  return file
}

async function cloudflareWith(state: Parameters<typeof startFakeCloudflare>[0]) {
  const cloudflare = await startFakeCloudflare(state)
  onTestFinished(() => void cloudflare.stop())
  return cloudflare
}

function run(args: string[], more: Record<string, string>): Promise<{ code: number; said: string }> {
  const registry = { npm_config_registry: 'http://127.0.0.1:9/' }
  const env = { ...process.env, ...registry, DATABASE_AUTH_TOKEN: 'token', ...more }
  return new Promise((resolve) => {
    const script = ['--import', 'tsx', 'scripts/deploy.ts', ...args]
    execFile(process.execPath, script, { env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}

let settings: Settings | undefined
const complete = (): Settings =>
  structuredClone((settings ??= readSettings({ env: 'staging', config: configFile(filled) })))

const namesOf = (settings: Settings, secrets: readonly string[] = secretNames) =>
  findProblems(settings, { env: 'staging', secrets }).problems.map(({ name }) => name)

const shipped = (env: string) => readSettings({ env }).vars

plain.each(['staging', 'production'])(
  'names every value of %s that is still to be filled in, and nothing else',
  (env) => {
    const { problems, off } = findProblems(readSettings({ env }), {
      env,
      secrets: secretNames.filter((n) => !n.startsWith('GOOGLE')),
    })
    const ready = ['ORDER_HOLD_HOURS', 'EDGE_CACHE_SECONDS']
    const expected = [...Object.keys(shipped(env)).filter((name) => !ready.includes(name)), 'routes', 'placement']
    expect(problems.map(({ name }) => name).sort()).toEqual(expected.sort())
    expect(new Set(problems.map(({ what }) => what.replace(/".*/, '')))).toEqual(new Set(['is still the placeholder ']))
    expect(off).toEqual([
      'Sign-in with Google is off: no GOOGLE_CLIENT_ID.',
      'Invoices show no tax: no SELLER_VAT_NUMBER, no VAT_PERCENT.',
    ])
  },
)

plain('has nothing to say of a complete configuration', () => {
  expect(findProblems(complete(), { env: 'staging', secrets: secretNames })).toEqual({ problems: [], off: [] })
})

/** The shop starts without them. Invoices need a seller, and this command does not see the settings. */
const needed = ['DATABASE_AUTH_TOKEN', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'SELLER_NAME', 'SELLER_ADDRESS']

const isOptional = (name: string) =>
  !needed.includes(name) && Config.shape[name as keyof typeof Config.shape].safeParse(undefined).success

plain.each([...Object.keys(shipped('staging')), 'GOOGLE_CLIENT_ID', ...secretNames])(
  'names %s when it is missing',
  (name) => {
    const { [name]: _missing, ...vars } = complete().vars
    const secrets = secretNames.filter((secret) => secret !== name)
    expect(namesOf({ ...complete(), vars }, secrets)).toEqual(isOptional(name) ? [] : [name])
  },
)

const withVars = (vars: Settings['vars']) => (settings: Settings) => ({
  ...settings,
  vars: { ...settings.vars, ...vars },
})

plain.each<[string, (settings: Settings) => Settings, string[]]>([
  ['without a bucket', (settings) => ({ ...settings, r2_buckets: [] }), ['PICTURES']],
  ['without Images', ({ images: _, ...settings }) => settings, ['IMAGES']],
  ['without both', ({ images: _, ...settings }) => ({ ...settings, r2_buckets: [] }), []],
  ['without a domain', (settings) => ({ ...settings, routes: [] }), ['routes']],
  ['without a cron trigger', ({ triggers: _, ...settings }) => settings, ['triggers']],
  ['with an empty list of cron triggers', (settings) => ({ ...settings, triggers: { crons: [] } }), ['triggers']],
  ['with the sample phone', withVars({ BUG_REPORT: 'bugs@strings.shop, +1 555 010 0140' }), ['BUG_REPORT']],
  ['with a phone of films', withVars({ SALES_QUESTIONS: 'a@strings.shop, +1 (212) 555-0123' }), ['SALES_QUESTIONS']],
  ['with a phone that looks like it', withVars({ BUG_REPORT: 'a@strings.shop, +49 555 010 0140' }), []],
  ['with the sample VAT number', withVars({ SELLER_VAT_NUMBER: 'IT01234567897' }), ['SELLER_VAT_NUMBER']],
  ['with the sample of Google', withVars({ GOOGLE_CLIENT_ID: '….apps.googleusercontent.com' }), ['GOOGLE_CLIENT_ID']],
  ['with another domain', withVars({ SHOP_ORIGIN: 'https://other.instruments.shop' }), ['routes']],
  [
    'at workers.dev',
    (settings) => ({ ...withVars({ SHOP_ORIGIN: 'https://cadenza.me.workers.dev' })(settings), routes: [] }),
    [],
  ],
  ['with a plain origin', withVars({ SHOP_ORIGIN: 'http://staging.cadenza.instruments.shop' }), ['SHOP_ORIGIN']],
  ['far from its database', (settings) => ({ ...settings, placement: { hostname: 'elsewhere.shop' } }), ['placement']],
  ['with a plain database', withVars({ DATABASE_URL: 'http://cadenza-staging.instruments.shop' }), ['DATABASE_URL']],
  ['with a secret in the file', withVars({ MAIL_API_KEY: 're_1' }), ['MAIL_API_KEY']],
  ['with one HSTS for pages and another for files', withVars({ HSTS: 'max-age=600' }), ['HSTS']],
  ['with a wrong number', withVars({ ORDER_HOLD_HOURS: 'three days' }), ['ORDER_HOLD_HOURS']],
  ['with a wrong rate of VAT', withVars({ VAT_PERCENT: '19,5' }), ['VAT_PERCENT']],
  ['with a rate of VAT of 0 beside its number', withVars({ VAT_PERCENT: '0' }), ['VAT_PERCENT']],
])('names what is wrong with a Worker %s', (_title, change, expected) => {
  expect(namesOf(change(complete()))).toEqual(expected)
})

plain('shows the domain and the cron trigger that it asks Cloudflare for', () => {
  expect(describeTriggers(complete())).toEqual([
    'Domain: staging.cadenza.instruments.shop, with its DNS record and certificate.',
    'Cron trigger: */5 * * * * (UTC).',
  ])
  const routes = ['strings.shop/*', { pattern: 'other.shop' }]
  expect(describeTriggers({ ...complete(), routes, triggers: {} })).toEqual([
    ...['Route: strings.shop/*.', 'Route: other.shop.'],
  ])
  const vars = { SHOP_ORIGIN: 'https://me.workers.dev' }
  expect(describeTriggers({ ...complete(), routes: [], vars })[0]).toBe(
    'Domain: none of yours, https://me.workers.dev.',
  )
})

const writes = (requests: { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql')

plain('--check says in one look what is wrong at Cloudflare and in the file, and changes nothing', async () => {
  const cloudflare = await cloudflareWith({ secrets: [], hasBucket: false })
  const flaw = { id: 1, url: 'https://flaw.shop', title: 'x', severity: 'critical', vulnerable_versions: '23.1.0' }
  const versions = { '23.1.0': { name: 'stripe', version: '23.1.0', dist: {} } }
  const packument = { name: 'stripe', 'dist-tags': { latest: '23.1.0' }, versions }
  const registry = await listen(({ url }, response) => {
    response.end(JSON.stringify(url!.endsWith('/bulk') ? { stripe: [flaw] } : packument))
  })
  const config = configFile(filled.replaceAll(/^SHOP_MAIL.*/gm, ''))
  const { code, said } = await run(['--check', '--env', 'staging', '--config', config], {
    ...cloudflare.env,
    DATABASE_AUTH_TOKEN: '',
    npm_config_registry: registry,
  })
  for (const name of [...secretNames, 'SHOP_MAIL']) expect(said).toContain(`staging: ${name} is missing. Remedy: `)
  expect(said).toContain(
    'The specified bucket does not exist. [code: 10006]. Remedy: npx wrangler r2 bucket create cadenza-pictures-staging',
  )
  // As they are pasted, they are about the same file.
  expect(said).toContain(`npx wrangler secret put SESSION_SECRET --env staging --config ${config}\n`)
  expect(said).toContain(`in ${config} set it under [env.staging.vars]`)
  expect(said).toContain('DATABASE_AUTH_TOKEN is missing in this shell')
  expect(said).toContain('staging: Domain: staging.cadenza.instruments.shop, with its DNS record and certificate.\n')
  expect(said).toContain('staging: Cron trigger: */5 * * * * (UTC).\n')
  expect(said).toContain('packages: stripe 23.1.0 has a critical vulnerability: https://flaw.shop')
  expect(said).toContain(`Nothing was changed: ${secretNames.length + 4} to put right.`)
  expect([code, writes(cloudflare.requests)]).toEqual([1, []])
})

plain('--dry-run needs no account, reaches wrangler, and asks neither the database nor Cloudflare', async () => {
  let asked = 0
  const database = await listen((_request, response) => response.end(String(asked++)))
  const cloudflare = await cloudflareWith({ secrets: [...secretNames] })
  const text = filled
    .replaceAll('libsql://cadenza.instruments.shop', database)
    .replaceAll('hostname = "cadenza.instruments.shop"', `hostname = "${new URL(database).host}"`)
  const config = configFile(text)
  const noAccount = { ...cloudflare.env, CLOUDFLARE_API_TOKEN: '', XDG_CONFIG_HOME: dirname(config) }
  // As npm says from which folder it was called: the file is elsewhere, and so are the paths in it.
  const { code, said } = await run(['--dry-run', '--env', 'production', '--config', 'wrangler.toml'], {
    ...{ ...noAccount, INIT_CWD: dirname(config) },
    DATABASE_AUTH_TOKEN: '',
  })
  expect(said).not.toMatch(/WARNING|[Uu]nexpected/)
  expect(said).toContain('NOT CHECKED: the list of vulnerabilities was out of reach')
  expect(said).toContain('--dry-run: exiting now.')
  expect([code, asked, cloudflare.requests]).toEqual([0, 0, []])
})

plain('names a file of the configuration that is not there', async () => {
  const { code, said } = await run(['--check', '--config', 'none.toml'], { INIT_CWD: tmpdir() })
  expect([code, said]).toEqual([1, `--config: there is no file ${join(tmpdir(), 'none.toml')}.\n`])
})

test('deploys in order, stops at the first failure, tests the shop, and prints the way back', async ({ shop }) => {
  const ada = await shop.customer()
  await shop.sells()
  await shop.visitor().get('/')
  const { requests, env } = await cloudflareWith({ secrets: [...secretNames] })
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const nobody = 'http://127.0.0.1:9'

  async function attempt(origin: string, database: string) {
    const config = configFile(
      filled.replace(/(SHOP_ORIGIN = ).*/, `$1"${origin}"`).replace(/(DATABASE_URL = ).*/, `$1"${database}"`),
    )
    const said: string[] = []
    const say = (line: string) => said.push(line)
    const options = { dryRun: false, authToken: shop.database.authToken, account: ada, patienceMs: 0, say, quiet: true }
    await deploy({ env: 'staging', config }, options).catch((error: unknown) => said.push(String(error)))
    return said.join('\n')
  }
  const uploads = () => requests.filter(({ path, method }) => path.endsWith('/versions') && method === 'POST')

  expect(await attempt(shop.vars.SHOP_ORIGIN!, nobody)).toMatch(/Migrating .*\n.*Error/)
  expect(uploads()).toEqual([])

  const good = await attempt(shop.vars.SHOP_ORIGIN!, shop.database.url)
  expect(good).toMatch(
    /Migrating .*Deploying .*healthz.*An order can be placed.*Deployed\..*rollback before --env staging/s,
  )
  const expected = ['app/worker.server.ts', '"cpu_ms":10000', '"hostname":"cadenza-staging.instruments.shop"']
  expect(expected.filter((text) => !uploads()[0]!.body.includes(text))).toEqual([])
  expect(await shop.deps.db.$count(orders, isNotNull(orders.cancelledAt))).toBe(1)

  const broken = await attempt(nobody, shop.database.url)
  expect(broken).toMatch(/THE DEPLOYED SHOP DOES NOT WORK: .*npx wrangler rollback before --env staging/s)
})

plain('registers the webhook at Stripe once, and brings its events up to date', async () => {
  const endpoints: { id: string; url: string; events: number }[] = []
  const url = await listen((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const form = new URLSearchParams(body)
      const events = [...form.keys()].filter((key) => key.startsWith('enabled_events')).length
      if (request.url === '/v1/webhook_endpoints' && request.method === 'POST') {
        endpoints.push({ id: 'we_1', url: form.get('url')!, events })
        response.end(JSON.stringify({ ...endpoints[0], secret: 'whsec_new' }))
      } else if (request.method === 'POST') {
        endpoints.find(({ id }) => request.url!.endsWith(id))!.events = events
        response.end('{}')
      } else response.end(JSON.stringify({ data: endpoints }))
    })
  })
  const stripe = new Stripe('sk_test_1', apiOptions(url))
  const origin = 'https://cadenza.instruments.shop'
  const expected = [{ id: 'we_1', url: `${origin}/webhooks/stripe`, events: webhookEvents.length }]
  expect([await registerWebhook(stripe, origin), endpoints]).toEqual(['whsec_new', expected])
  endpoints[0]!.events = 0
  expect([await registerWebhook(stripe, origin), endpoints]).toEqual([null, expected])
})

plain('says when Google does not know the redirect URI or the client', async () => {
  const sandbox = await startSandbox({ port: 0, webhookUrl: 'http://127.0.0.1:9', log: () => undefined })
  onTestFinished(() => sandbox.stop())
  const origin = 'http://127.0.0.1:8788'
  const ask = (more: object) => findGoogleProblem({ clientId: googleClientId, origin, url: sandbox.url, ...more })
  expect(await ask({})).toBeNull()
  expect(await ask({ origin: 'https://cadenza.shop' })).toContain(
    'does not know the redirect URI https://cadenza.shop/',
  )
  expect(await ask({ clientId: 'other' })).toContain('does not know GOOGLE_CLIENT_ID other')
  const google = await listen((request, response) => {
    const authError = Buffer.from('\n\x15redirect_uri_mismatch\x12').toString('base64url')
    if (request.url!.startsWith('/o/')) {
      response.writeHead(302, { location: `/signin/oauth/error?authError=${authError}` })
    }
    response.end('Access blocked')
  })
  expect(await ask({ url: google })).toContain('does not know the redirect URI')
})
