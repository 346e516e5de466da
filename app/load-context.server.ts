import { openDatabase } from './db/open.server'
import { resendEmail } from './gateways/resend.server'
import { stripePayments } from './gateways/stripe.server'
import { showsToken } from './http/auth/bearer.server'
import { readConfig, type Config } from './http/config.server'
import { logError, requestIdOf } from './http/log.server'
import { readSessionCookie } from './http/auth/session.server'
import type { Deps } from './store/deps'
import { findSessionUser } from './store/accounts/sign-in.server'
import type { User } from './store/accounts/sign-in'
import type { ToastMessage } from './ui/toast'

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Deps {
    config: Config
    /** Names this request in the answer and in every line of the log. */
    requestId: string
    /** The secret of the session that the browser named, whether or not it still lives. */
    sessionSecret: string | null
    /** Who is asking, or null: looked up once a request, however many loaders ask. */
    visitor: () => Promise<User | null>
    /** Goes on after the answer is sent. */
    later: (task: () => Promise<unknown>) => void
    /** What the page that this request is answered with says in a toast, when it is not led to another. */
    toast: Omit<ToastMessage, 'id'> | null
    /** True when the database, or a provider that could not be done without, was away while this request was answered. */
    outage: boolean
  }
}

interface Platform {
  request: Request
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
}

/** The one place that turns the Worker's env into what loaders and actions get. */
export async function getLoadContext({ request, env, ctx }: Platform, invalidate: Deps['invalidate']) {
  const config = readConfig(env)
  const db = openDatabase({
    url: config.DATABASE_URL,
    authToken: config.DATABASE_AUTH_TOKEN,
    onOutage: () => (context.outage = true),
  })
  const sessionSecret = showsToken(request) ? null : await readSessionCookie(request, config.SHOP_ORIGIN)
  let visitor: Promise<User | null> | undefined
  const context = {
    db,
    now: Date.now,
    origin: config.SHOP_ORIGIN,
    shopEmail: config.SHOP_MAIL,
    // Whole milliseconds: 0.57 hours are not, and no order could be written down.
    holdMs: Math.round(config.ORDER_HOLD_HOURS * 60 * 60 * 1000),
    payments: stripePayments({
      secretKey: config.STRIPE_SECRET_KEY,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET,
      apiUrl: config.STRIPE_API_URL,
      shopOrigin: config.SHOP_ORIGIN,
    }),
    email: resendEmail({ apiUrl: config.MAIL_API_URL, apiKey: config.MAIL_API_KEY, from: config.MAIL_FROM }),
    config,
    requestId: requestIdOf(request),
    sessionSecret,
    visitor: (): Promise<User | null> =>
      (visitor ??= sessionSecret ? findSessionUser(context, sessionSecret) : Promise.resolve(null)),
    later: (task: () => Promise<unknown>) =>
      ctx.waitUntil(task().catch((error: unknown) => logError(context.requestId, error))),
    invalidate,
    report: (what: string, error: unknown) => logError(context.requestId, error, what),
    toast: null as Omit<ToastMessage, 'id'> | null,
    outage: false,
  }
  return context
}
