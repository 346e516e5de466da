import { z } from 'zod'

/*
 * What a deployment sets, checked once: plain values in wrangler.toml, secrets by `wrangler secret put`. The names and
 * what they mean stand in docs/running.md.
 */

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const emailAndPhone = z.string().transform((text, context) => {
  const [email, phone] = text.split(',').map((part) => part.trim())
  if (email && phone) return { email, phone }
  context.addIssue({ code: 'custom', message: 'must be an email and a phone with a comma between them' })
  return z.NEVER
})

const Config = z.object({
  SHOP_ORIGIN: address,
  DATABASE_URL: z.string().regex(/^(libsql|https?):\/\//),
  DATABASE_AUTH_TOKEN: z.string().optional(),
  SESSION_SECRET: z.string().min(32),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1),
  /** Stripe's browser script, of the version that the package @stripe/stripe-js belongs to. */
  STRIPE_JS_URL: z.url().default('https://js.stripe.com/endive/stripe.js'),
  STRIPE_API_URL: address.optional(),
  GOOGLE_CLIENT_ID: z.string().min(1),
  GOOGLE_CLIENT_SECRET: z.string().min(1),
  GOOGLE_URL: address.optional(),
  MAIL_API_URL: address.default('https://api.resend.com'),
  MAIL_API_KEY: z.string().min(1),
  MAIL_FROM: z.string().min(3),
  SHOP_MAIL: z.email(),
  /** 0 keeps the pieces of an unpaid order until it is cancelled; nothing is not 0. */
  ORDER_HOLD_HOURS: z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(0).max(8760))
    .default(72),
  /** How long what everybody sees is kept; 0 makes it anew for each visitor. */
  EDGE_CACHE_SECONDS: z.coerce.number().min(0).max(3600).default(15),
  /** Origins whose scripts may call the API with a bearer token, with commas between them. */
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
export type Config = z.output<typeof Config>

const read = new WeakMap<object, Config>()

/** The configuration in `env`; throws an error that names every value that is missing or wrong. */
export function readConfig(env: object): Config {
  const known = read.get(env)
  if (known) return known
  const result = Config.safeParse(env)
  if (!result.success) throw new Error(`The configuration is not complete:\n${z.prettifyError(result.error)}`)
  read.set(env, result.data)
  return result.data
}
