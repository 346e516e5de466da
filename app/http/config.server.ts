import { z } from 'zod'
import type { StarterFacts } from '../store/pages/starters.server'
import type { DeliveryTerms } from '../store/orders/delivery-terms'
import { settingNames, settingOf, type SettingName, type Settings } from '../store/settings/settings'

/* docs/running.md describes each variable. */

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const emailAndPhone = z.string().transform((text, context) => {
  const [email, phone] = text.split(',').map((part) => part.trim())
  if (email && phone) return { email, phone }
  context.addIssue({ code: 'custom', message: 'must be an email and a phone with a comma between them' })
  return z.NEVER
})

/** Words for customers; without any, the pages leave them out. */
function words(name: SettingName) {
  return z
    .string()
    .trim()
    .max(settingOf(name).max!)
    .transform((text) => text || undefined)
    .optional()
}

const percent = z
  .union([z.number(), z.string().trim()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'must be a percentage such as 19 or 7.7' }))
  .transform((text) => String(Number(text)))

/** Stored at Cloudflare (`wrangler secret put`): what is not named here stands in wrangler.toml. */
export const secretNames = [
  'DATABASE_AUTH_TOKEN',
  'SESSION_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'MAIL_API_KEY',
] as const satisfies (keyof typeof ConfigFields.shape)[]

const ConfigFields = z.object({
  SHOP_ORIGIN: address,
  /** Strict-Transport-Security, of an https shop. Other hosts of the domain only if the operator says so. */
  HSTS: z.string().startsWith('max-age=').default('max-age=63072000'),
  DATABASE_URL: z.string().regex(/^(libsql|https?):\/\//),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  SESSION_SECRET: z.string().min(32),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1),
  /** The version must match the package @stripe/stripe-js. */
  STRIPE_JS_URL: z.url().default('https://js.stripe.com/endive/stripe.js'),
  STRIPE_API_URL: address.optional(),
  /** Without it and its secret, nobody can sign in with Google. */
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_URL: address.optional(),
  MAIL_API_URL: address.default('https://api.resend.com'),
  IMAGE_HOSTS_URL: address.optional(),
  MAIL_API_KEY: z.string().min(1),
  MAIL_FROM: z.string().min(3),
  /** 0: as fast as it can. */
  MAIL_PER_SECOND: z.coerce.number().min(0).max(1000).default(2),
  SHOP_MAIL: z.email(),
  /** 0: no expiry. An empty string is an error, not 0. */
  ORDER_HOLD_HOURS: z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(0).max(8760))
    .default(72),
  /** As the law of the shop's country says. */
  KEEP_ORDERS_YEARS: z.coerce.number().int().min(1).max(100).default(10),
  /** 0 disables the page cache. */
  EDGE_CACHE_SECONDS: z.coerce.number().min(0).max(3600).default(15),
  /** off: browsers forget the service worker and its copies. */
  OFFLINE_COPIES: z.enum(['on', 'off']).default('on'),
  /** off: nobody counts views and searches. */
  API_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    ),
  /** How long a delivery takes, such as "5 to 8 working days". */
  DELIVERY_TIME: words('deliveryTime'),
  /** Such as "Within 30 days of delivery". */
  RETURNS: words('returns'),
  SELLER_NAME: words('sellerName'),
  SELLER_ADDRESS: words('sellerAddress'),
  /** Without it and its rate, invoices show no tax. */
  SELLER_VAT_NUMBER: z.string().trim().min(4).max(40).optional(),
  VAT_PERCENT: percent.optional(),
  PROFILE_URL: address.optional(),
  TECHNICAL_SUPPORT: emailAndPhone.optional(),
  SALES_QUESTIONS: emailAndPhone.optional(),
  ORDER_QUESTIONS: emailAndPhone.optional(),
  BUG_REPORT: emailAndPhone.optional(),
})

const addresses = ['DATABASE_URL', 'STRIPE_API_URL', 'GOOGLE_URL', 'MAIL_API_URL', 'IMAGE_HOSTS_URL'] as const

/** What is wrong may also be missing here. */
type Unchecked = Partial<z.output<typeof ConfigFields>>

function checkAddresses(config: Unchecked, context: z.RefinementCtx): void {
  if (!config.SHOP_ORIGIN?.startsWith('https:')) return
  for (const name of addresses) {
    if (isPlain(config[name])) {
      context.addIssue({ code: 'custom', path: [name], message: 'must be encrypted beside an https SHOP_ORIGIN' })
    }
  }
}

const pairs = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['SELLER_VAT_NUMBER', 'VAT_PERCENT'],
  ['SELLER_NAME', 'SELLER_ADDRESS'],
] as const

function checkPairs(config: Unchecked, context: z.RefinementCtx): void {
  for (const [one, other] of pairs) {
    const missing = config[one] && !config[other] ? other : config[other] && !config[one] ? one : null
    if (missing) {
      context.addIssue({
        code: 'custom',
        path: [missing],
        message: `must be set beside ${missing === one ? other : one}`,
      })
    }
  }
}

/** `when`: also if other variables are wrong, so that one look names all that is. */
const always = { when: () => true }
export const Config = ConfigFields.superRefine(checkAddresses, always).superRefine(checkPairs, always)

/** Keys and orders must not cross a network in plain text; on one machine, as in development, they do not. */
export function isPlain(address: unknown): boolean {
  if (typeof address !== 'string') return false
  const isLocal = /^\w+:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(address)
  return !isLocal && (address.startsWith('http:') || /^libsql:.*[?&]tls=0/.test(address))
}

export type Config = z.output<typeof Config>

/** What customers read of delivery and returns; null: nothing. */
export function deliveryTermsOf({ deliveryTime, returns }: Settings): DeliveryTerms {
  return { time: deliveryTime || null, returns: returns || null }
}

/** What the starters of the shop's pages name. */
export function starterFactsOf(context: Omit<StarterFacts, 'returns'> & { settings: Settings }): StarterFacts {
  const { origin, seller, holdMs, reviewDays, keepOrdersYears, settings } = context
  return {
    origin,
    shopEmail: contactEmailOf(settings, context.shopEmail),
    seller,
    holdMs,
    reviewDays,
    keepOrdersYears,
    returns: deliveryTermsOf(settings).returns,
  }
}

/** Where customers write to: of the contacts in the settings, the first that somebody has chosen. `shopEmail` stands in all of them at first. */
function contactEmailOf({ ordersEmail, supportEmail, salesEmail }: Settings, shopEmail: string): string {
  return [ordersEmail, supportEmail, salesEmail].find((email) => email !== '' && email !== shopEmail) ?? shopEmail
}

/** What the settings are until an admin changes them: the values of the deployment, and else those that they begin with. */
export function defaultSettings(config: Config): Settings {
  const defaultOf = (name: SettingName) => {
    const { type, initial, variable } = settingOf(name)
    const value = variable && config[variable]
    const text = typeof value === 'object' ? value[type as keyof typeof value] : value
    return String(text ?? initial ?? (type === 'email' ? config.SHOP_MAIL : ''))
  }
  return Object.fromEntries(settingNames.map((name) => [name, defaultOf(name)])) as Settings
}

/** What an admin can see and not change. */
export function fixedByDeployment({ SHOP_ORIGIN, SHOP_MAIL, MAIL_FROM, STRIPE_PUBLISHABLE_KEY: key }: Config) {
  return [
    { name: 'Address of the shop', value: SHOP_ORIGIN },
    { name: 'Emails to the shop', value: SHOP_MAIL },
    { name: 'Sender of emails', value: MAIL_FROM },
    {
      name: 'Card payments',
      value: key.startsWith('pk_live_') ? 'Live: cards are charged' : 'Test mode: no card is charged',
    },
  ]
}

const parsed = new WeakMap<object, Config>()

export function readConfig(env: object): Config {
  const existing = parsed.get(env)
  if (existing) return existing
  const result = Config.safeParse(env)
  if (!result.success) throw new Error(`The configuration is not complete:\n${z.prettifyError(result.error)}`)
  parsed.set(env, result.data)
  return result.data
}
