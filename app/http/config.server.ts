import { z } from 'zod'

/* docs/running.md describes each variable. */

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const emailAndPhone = z.string().transform((text, context) => {
  const [email, phone] = text.split(',').map((part) => part.trim())
  if (email && phone) return { email, phone }
  context.addIssue({ code: 'custom', message: 'must be an email and a phone with a comma between them' })
  return z.NEVER
})

const ConfigFields = z.object({
  SHOP_ORIGIN: address,
  DATABASE_URL: z.string().regex(/^(libsql|https?):\/\//),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  SESSION_SECRET: z.string().min(32),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1),
  /** The version must match the package @stripe/stripe-js. */
  STRIPE_JS_URL: z.url().default('https://js.stripe.com/endive/stripe.js'),
  STRIPE_API_URL: address.optional(),
  GOOGLE_CLIENT_ID: z.string().min(1),
  GOOGLE_CLIENT_SECRET: z.string().min(1),
  GOOGLE_URL: address.optional(),
  MAIL_API_URL: address.default('https://api.resend.com'),
  IMAGE_HOSTS_URL: address.optional(),
  MAIL_API_KEY: z.string().min(1),
  MAIL_FROM: z.string().min(3),
  SHOP_MAIL: z.email(),
  /** 0: no expiry. An empty string is an error, not 0. */
  ORDER_HOLD_HOURS: z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(0).max(8760))
    .default(72),
  /** 0 disables the page cache. */
  EDGE_CACHE_SECONDS: z.coerce.number().min(0).max(3600).default(15),
  API_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    ),
  PROFILE_URL: address,
  TECHNICAL_SUPPORT: emailAndPhone,
  SALES_QUESTIONS: emailAndPhone,
  ORDER_QUESTIONS: emailAndPhone,
  BUG_REPORT: emailAndPhone,
})

const addresses = ['DATABASE_URL', 'STRIPE_API_URL', 'GOOGLE_URL', 'MAIL_API_URL', 'IMAGE_HOSTS_URL'] as const

/** Keys and orders must not cross a network in plain text; on one machine, as in development, they do not. */
const Config = ConfigFields.superRefine((config, context) => {
  if (!config.SHOP_ORIGIN.startsWith('https:')) return
  for (const name of addresses) {
    if (isPlain(config[name])) {
      context.addIssue({ code: 'custom', path: [name], message: 'must be encrypted beside an https SHOP_ORIGIN' })
    }
  }
})

function isPlain(address = ''): boolean {
  const isLocal = /^\w+:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(address)
  return !isLocal && (address.startsWith('http:') || /^libsql:.*[?&]tls=0/.test(address))
}

export type Config = z.output<typeof Config>

const parsed = new WeakMap<object, Config>()

export function readConfig(env: object): Config {
  const existing = parsed.get(env)
  if (existing) return existing
  const result = Config.safeParse(env)
  if (!result.success) throw new Error(`The configuration is not complete:\n${z.prettifyError(result.error)}`)
  parsed.set(env, result.data)
  return result.data
}
