import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  googleClientId,
  googleClientSecret,
  mailApiKey,
  stripePublishableKey,
  stripeSecretKey,
  stripeWebhookSecret,
} from '../sandbox/keys'
import { startSandbox } from '../sandbox/serve'
import { isAlive } from './build'
import { migrateDatabase, readAuthToken, startDatabase, tokenFile, type DatabaseAddress } from './database'
import { hasDemoUsers, seedDemoShop } from './demo'
import { readOrCreateSecret } from './local-secret'
import { isFree, listenHost } from './ports'

export interface LocalShopOptions {
  port: number
  sandboxPort: number
  dbPort: number
  dataDir: string
  seedDemo: boolean
  /** Where browsers find the shop, if not on this machine: at a tunnel, or at an address in the local network. */
  origin?: string | undefined
}

type Variables = Record<string, string | undefined>

const defaults = { port: 8788, sandboxPort: 8789, dbPort: 8790, dataDir: '.data' }

export function readOptions(env: Variables): LocalShopOptions {
  return {
    port: readPort(env, 'PORT', defaults.port),
    sandboxPort: readPort(env, 'SANDBOX_PORT', defaults.sandboxPort),
    dbPort: readPort(env, 'DB_PORT', defaults.dbPort),
    dataDir: env.DATA_DIR || defaults.dataDir,
    seedDemo: env.SEED !== 'none',
  }
}

const variables = { port: 'PORT', sandboxPort: 'SANDBOX_PORT', dbPort: 'DB_PORT', dataDir: 'DATA_DIR' } as const

/** A command that finds this shop as it is pasted: before it stand the variables that are not the defaults. */
export function commandOf(shop: LocalShopOptions, command: string): string {
  const others = (['port', 'sandboxPort', 'dbPort', 'dataDir'] as const).filter((key) => shop[key] !== defaults[key])
  return [...others.map((key) => `${variables[key]}=${inShell(String(shop[key]))}`), command].join(' ')
}

function inShell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** `SHOP_ORIGIN`: an https address is a tunnel's to this machine; at an http address the shop itself listens. */
export function readOrigin({ SHOP_ORIGIN: text }: Variables, port: number): string | undefined {
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url?.protocol.startsWith('http')) throw new Error(`SHOP_ORIGIN must be an http or https address: "${text}".`)
  if (listenHost(url.origin) === url.hostname && url.host !== `${url.hostname}:${port}`) {
    throw new Error(`SHOP_ORIGIN ends in the port on which the shop listens: http://${url.hostname}:${port}`)
  }
  return url.origin
}

const originOf = ({ port, origin }: LocalShopOptions) => origin ?? `http://127.0.0.1:${port}`

function readPort(env: Variables, name: string, defaultPort: number): number {
  const port = Number(env[name] || defaultPort)
  if (Number.isInteger(port) && port > 0 && port < 65536) return port
  throw new Error(`${name} must be a port number, and is "${env[name]}".`)
}

export async function requireFreePorts(options: LocalShopOptions): Promise<void> {
  const { port } = options
  const host = listenHost(originOf(options))
  if (host !== '127.0.0.1' && !(await isFree(port, host))) {
    throw new Error(`The shop cannot listen at ${host}:${port} (SHOP_ORIGIN): is that an address of this machine?`)
  }
  for (const key of ['port', 'sandboxPort', 'dbPort'] as const) {
    const number = options[key]
    if (await isFree(number)) continue
    const other = commandOf({ ...options, [key]: number + 10 }, 'npm start')
    throw new Error(`Port ${number} (${variables[key]}) is taken. Stop what uses it, or choose another: ${other}`)
  }
}

export interface Environment {
  database: DatabaseAddress
  vars: Record<string, string>
  /** What to print when the shop is ready. */
  hints: string
  /** Resolves with a sentence when the database ends by itself. */
  died: Promise<string>
  stop(): Promise<void>
}

export async function startEnvironment(options: LocalShopOptions, log: (line: string) => void): Promise<Environment> {
  const stops: (() => Promise<void> | void)[] = [lockDataDir(options.dataDir)]
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne()
  }
  try {
    log('Starting the database …')
    const database = await startDatabase({ folder: databaseFolder(options), port: options.dbPort })
    stops.push(() => database.stop())
    log('Migrating …')
    await migrateDatabase(database)
    if (options.seedDemo && (await seedDemoShop(database))) log('Added the demo shop.')
    log('Starting the sandbox (card payments and mail) …')
    const origin = originOf(options)
    const sandbox = await startSandbox({
      port: options.sandboxPort,
      webhookUrl: `http://${listenHost(origin)}:${options.port}/webhooks/stripe`,
      stateFilePath: join(options.dataDir, 'sandbox.json'),
      log,
    })
    stops.push(() => sandbox.stop())
    const died = database.ended.then((words) => `The database server (sqld) has ended by itself. ${words}`.trim())
    const sessionSecret = readOrCreateSecret(join(options.dataDir, 'session-secret'), newSecret)
    const hasDemo = await hasDemoUsers(database)
    const places = { origin, database, sandboxUrl: sandbox.url, sessionSecret }
    const vars = hasDemo ? { ...localVars(places), ...deliveryTerms() } : withoutDemoWords(localVars(places))
    return { database, vars, hints: hintsFor(options, hasDemo), died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const databaseFolder = ({ dataDir }: { dataDir: string }) => join(dataDir, 'db')

/** The database of the running shop, or the one that DATABASE_URL names. */
export function databaseOf(env: Variables): { url: string; authToken?: string } {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, authToken: env.DATABASE_AUTH_TOKEN }
  const options = readOptions(env)
  return { url: `http://127.0.0.1:${options.dbPort}`, authToken: readAuthToken(databaseFolder(options)) }
}

/** Writes why a command failed; if the database does not answer, also what to look at. Sets the exit code. */
export function sayFailure(error: unknown, { url }: { url: string }): void {
  const last = lastCause(error)
  console.error(last instanceof Error ? last.message : last)
  if (last instanceof Error && /fetch failed|ECONN|ENOTFOUND|socket|HTTP status|answered \d/i.test(last.message)) {
    console.error(`The database at ${url} does not answer, or not to this token.`)
    console.error(process.env.DATABASE_URL ? 'Look at DATABASE_URL and DATABASE_AUTH_TOKEN.' : databaseIsLocal())
  }
  process.exitCode = 1
}

function databaseIsLocal(): string {
  return [
    'It runs while the shop runs. Start the shop in another terminal, then repeat this command:',
    `  ${commandOf(readOptions(process.env), 'npm start')}`,
    'If the shop runs with another DB_PORT and DATA_DIR, set them here too. For a deployed shop, set DATABASE_URL and DATABASE_AUTH_TOKEN.',
  ].join('\n')
}

/** Drizzle's message is the query, with its parameters; that of `fetch` says nothing. */
function lastCause(error: unknown): unknown {
  const isHollow = error instanceof Error && /^(Failed query|fetch failed)/.test(error.message)
  return isHollow && error.cause instanceof Error ? lastCause(error.cause) : error
}

/** The same for a restore: starts the server if none runs in DATA_DIR, until `stop`. */
export async function openLocalDatabase(env: Variables) {
  if (env.DATABASE_URL || !(await isFree(readOptions(env).dbPort)))
    return { ...databaseOf(env), stop: () => Promise.resolve() }
  return startLocalDatabase(env)
}

/** `DB_HOST`: the address at which it listens, if not only for this machine. */
export async function startLocalDatabase(env: Variables, flags?: string[]) {
  const options = readOptions(env)
  const unlock = lockDataDir(options.dataDir)
  const folder = databaseFolder(options)
  const database = await startDatabase({ folder, host: env.DB_HOST || undefined, port: options.dbPort, flags }).catch(
    (error: unknown) => {
      unlock()
      throw error
    },
  )
  return {
    ...database,
    tokenFile: tokenFile(folder),
    async stop() {
      await database.stop()
      unlock()
    },
  }
}

/** The configuration of the local shop that these variables name. */
export function localPlaces(env: Variables): Record<string, string> {
  const { port, sandboxPort } = readOptions(env)
  const { url, authToken = '' } = databaseOf(env)
  const database = { url, authToken }
  return localVars({ origin: `http://127.0.0.1:${port}`, database, sandboxUrl: `http://127.0.0.1:${sandboxPort}` })
}

const newSecret = () => randomBytes(32).toString('base64url')
const secretOfThisProcess = newSecret()

interface LocalPlaces {
  origin: string
  database: DatabaseAddress
  sandboxUrl: string
  sessionSecret?: string
}

/** The Worker configuration for the sandbox: production code, other addresses and keys. */
export function localVars({ origin, database, sandboxUrl, sessionSecret = secretOfThisProcess }: LocalPlaces) {
  return {
    SHOP_ORIGIN: origin,
    DATABASE_URL: database.url,
    DATABASE_AUTH_TOKEN: database.authToken,
    SESSION_SECRET: sessionSecret,
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    STRIPE_API_URL: sandboxUrl,
    STRIPE_PUBLISHABLE_KEY: stripePublishableKey,
    STRIPE_JS_URL: `${sandboxUrl}/endive/stripe.js`,
    GOOGLE_CLIENT_ID: googleClientId,
    GOOGLE_CLIENT_SECRET: googleClientSecret,
    GOOGLE_URL: sandboxUrl,
    MAIL_API_URL: sandboxUrl,
    IMAGE_HOSTS_URL: sandboxUrl,
    MAIL_API_KEY: mailApiKey,
    MAIL_FROM: 'Cadenza <orders@cadenza.example>',
    MAIL_PER_SECOND: '0',
    SHOP_MAIL: 'shop@cadenza.example',
    EDGE_CACHE_SECONDS: process.env.EDGE_CACHE_SECONDS || '15',
    ORDER_HOLD_HOURS: process.env.ORDER_HOLD_HOURS || '72',
    SELLER_NAME: process.env.SELLER_NAME || 'Cadenza Instruments S.r.l.',
    SELLER_ADDRESS: process.env.SELLER_ADDRESS || 'Via dei Liutai 4\n26100 Cremona\nItaly',
    SELLER_VAT_NUMBER: process.env.SELLER_VAT_NUMBER || 'IT01234567897',
    VAT_PERCENT: process.env.VAT_PERCENT || '22',
    PROFILE_URL: 'https://cadenza.example',
    TECHNICAL_SUPPORT: 'support@cadenza.example, +1 555 010 0110',
    SALES_QUESTIONS: 'sales@cadenza.example, +1 555 010 0120',
    ORDER_QUESTIONS: 'orders@cadenza.example, +1 555 010 0130',
    BUG_REPORT: 'bugs@cadenza.example, +1 555 010 0140',
  }
}

/** A shop of one's own says nothing of the demo shop: its settings are still to be written. */
function withoutDemoWords(vars: Record<string, string>): Record<string, string> {
  const isDemo = (name: string) => demoWords.includes(name) && !process.env[name]
  return Object.fromEntries(Object.entries(vars).filter(([name]) => !isDemo(name)))
}

const demoWords = [
  ...['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'VAT_PERCENT', 'PROFILE_URL'],
  ...['TECHNICAL_SUPPORT', 'SALES_QUESTIONS', 'ORDER_QUESTIONS', 'BUG_REPORT'],
]

/** Of the demo shop. Empty in the environment: none. */
function deliveryTerms() {
  const { DELIVERY_TIME = '5 to 8 working days', RETURNS = 'Within 30 days of delivery' } = process.env
  return { DELIVERY_TIME, RETURNS }
}

/** Two database servers on the same files would corrupt them. */
function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = join(dataDir, 'lock')
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
  } catch {
    const holder = Number(readFileSync(lock, 'utf8'))
    if (holder && holder !== process.pid && isAlive(holder)) {
      throw new Error(`Another shop runs in ${dataDir}. Stop it, or choose another folder: DATA_DIR=.data2 npm start`)
    }
    writeFileSync(lock, String(process.pid))
  }
  return () => rmSync(lock, { force: true })
}

/** The first of these folders whose disk has no megabyte left: what fails there fails for that reason. */
export function fullDisk(folders: string[]): string | undefined {
  return folders.find((folder) => {
    if (!existsSync(folder)) return false
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < 1024 * 1024
  })
}

/** Resolves on SIGINT or SIGTERM, or when the parent process has exited. */
export function stopRequested(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const watch = setInterval(() => process.ppid !== parent && resolve(), 300)
    watch.unref()
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

function hintsFor(options: LocalShopOptions, hasDemo: boolean): string {
  return [
    ...(hasDemo
      ? ['  customer  ada@example.com     password practice', '  admin     admin@example.com   password practice']
      : [
          '  No demo accounts. The first admin: register, then run this in another terminal, with your email:',
          `    ${commandOf(options, 'npm run make-admin -- EMAIL')}`,
        ]),
    `  mail      http://127.0.0.1:${options.sandboxPort}/`,
    '  card      4242 4242 4242 4242, any date to come, any CVC',
    '  Ctrl-C stops everything; the data stays.',
  ].join('\n')
}
