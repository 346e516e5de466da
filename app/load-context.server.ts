import { openDatabase } from './db/open.server'
import { imageChecker, pictureFetcher, pictureInspector } from './gateways/image-address.server'
import { cloudflarePictures, readSmallPlates } from './gateways/pictures.server'
import { resendEmail } from './gateways/resend.server'
import { stripePayments } from './gateways/stripe.server'
import { webhookSender } from './gateways/webhooks.server'
import { hasBearerToken } from './http/auth/bearer.server'
import { defaultSettings, readConfig, type Config } from './http/config.server'
import { keyFor } from './http/keys.server'
import { countEvent } from './http/metrics.server'
import { codeOf, logError, requestIdOf } from './http/log.server'
import { clientIp } from './http/auth/client-ip'
import { readSessionCookie } from './http/auth/session.server'
import { ProviderError, type BusinessEvent, type Deps } from './store/deps'
import type { Draft } from './store/accounts/drafts.server'
import { findSessionUser } from './store/accounts/sign-in.server'
import type { SignedInUser } from './store/accounts/sign-in'
import { Refusal } from './store/shared/refusal'
import { CurrentSettings } from './store/settings/current-settings.server'
import { sellerOf } from './store/settings/settings.server'
import type { FooterLink } from './store/pages/pages'
import type { Settings } from './store/settings/settings'
import type { ToastMessage } from './ui/toast'

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Deps {
    config: Config
    /** Of today. */
    settings: Settings
    /** The published pages that the footer links. */
    footer: FooterLink[]
    /** What they are where no admin has changed them. */
    defaultSettings: Settings
    requestId: string
    startedAt: number
    /** As the browser sent it: the session may have expired. */
    sessionSecret: string | null
    user: () => Promise<SignedInUser | null>
    later: (task: () => Promise<unknown>) => void
    /** The shop's drawings for /catalog.html, by address; none without the binding of the static files. */
    smallPlates: () => Promise<Record<string, string | undefined>>
    /** Shown on the page of this response, when it does not redirect. */
    toast: Omit<ToastMessage, 'id'> | null
    /** The page of this response shows it, and no action runs. */
    draft: Draft | null
    /** The database or a required provider failed during this request: 503, not 500. */
    outage: boolean
    /** Something for the readers of the log or the outbox. */
    hasNews: boolean
    /** Why this request fails: logged once, with its response. */
    fault: unknown
    /** A line of the log says already why this request fails. */
    isReported: boolean
  }
}

interface Platform {
  request: Request
  env: object
  ctx: { waitUntil: (task: Promise<unknown>) => void }
}

export async function getLoadContext({ request, env, ctx }: Platform, invalidate: Deps['invalidate']) {
  const startedAt = Date.now()
  const config = readConfig(env)
  const current = currentSettings(env)
  const db = openDatabase({
    url: config.DATABASE_URL,
    authToken: config.DATABASE_AUTH_TOKEN,
    onOutage: () => (context.outage = true),
  })
  const later = (task: () => Promise<unknown>) =>
    ctx.waitUntil(
      task().catch((error: unknown) =>
        logError('error', 'task after the response failed', error, { requestId: context.requestId }),
      ),
    )
  await current.refresh(
    () => db,
    later,
    () => invalidate('catalogue'),
  )
  current.use()
  const sessionSecret = hasBearerToken(request) ? null : await readSessionCookie(request, config.SHOP_ORIGIN)
  let user: Promise<SignedInUser | null> | undefined
  const context = {
    db,
    now: Date.now,
    origin: config.SHOP_ORIGIN,
    shopEmail: config.SHOP_MAIL,
    get settings() {
      return current.values
    },
    get footer() {
      return current.footer
    },
    defaultSettings: defaultSettings(config),
    get seller() {
      return sellerOf(current.values)
    },
    ip: clientIp(request),
    encryptionKey: keyFor({ config }, 'encryption'),
    // For the integer column: 0.57 hours gives a fraction.
    get holdMs() {
      return Math.round(Number(current.values.holdHours) * 60 * 60 * 1000)
    },
    get reviewDays() {
      return Number(current.values.reviewDays)
    },
    keepOrdersYears: config.KEEP_ORDERS_YEARS,
    payments: stripePayments({
      secretKey: config.STRIPE_SECRET_KEY,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET,
      apiUrl: config.STRIPE_API_URL,
      shopOrigin: config.SHOP_ORIGIN,
    }),
    email: resendEmail({
      apiUrl: config.MAIL_API_URL,
      apiKey: config.MAIL_API_KEY,
      from: config.MAIL_FROM,
      perSecond: config.MAIL_PER_SECOND,
    }),
    pictures: cloudflarePictures(env),
    isImage: imageChecker(config.IMAGE_HOSTS_URL),
    inspectPicture: pictureInspector(config.IMAGE_HOSTS_URL),
    fetchPicture: pictureFetcher(config.IMAGE_HOSTS_URL),
    webhooks: webhookSender(config.SHOP_ORIGIN),
    config,
    requestId: requestIdOf(request),
    startedAt,
    sessionSecret,
    user: (): Promise<SignedInUser | null> =>
      (user ??= sessionSecret ? findSessionUser(context, sessionSecret) : Promise.resolve(null)),
    later,
    smallPlates: () => readSmallPlates(env),
    invalidate(what: Parameters<Deps['invalidate']>[0]) {
      if (what === 'settings' || what === 'pages') current.forget()
      invalidate(what)
      context.hasNews = true
    },
    readLogSoon: () => {
      context.hasNews = true
    },
    report: (event: string, error: unknown, about?: string) => {
      context.isReported = true
      const level = error instanceof ProviderError && event !== 'email given up' ? 'warn' : 'error'
      // A text or a refusal is no fault of ours: on call one looks at the event.
      const isFact = typeof error === 'string' || error instanceof Refusal
      const code = isFact ? 'see-event' : codeOf(error, context.outage)
      logError(level, event, error, { code, requestId: context.requestId, about })
    },
    count: (event: BusinessEvent) => countEvent(env, event),
    toast: null as Omit<ToastMessage, 'id'> | null,
    draft: null as Draft | null,
    outage: false,
    hasNews: false,
    fault: undefined as unknown,
    isReported: false,
  }
  return context
}

const settingsOfEnv = new WeakMap<object, CurrentSettings>()

function currentSettings(env: object): CurrentSettings {
  const existing = settingsOfEnv.get(env)
  if (existing) return existing
  const settings = new CurrentSettings(defaultSettings(readConfig(env)))
  settingsOfEnv.set(env, settings)
  return settings
}

/** For a copy, for which no request asks the database. */
export async function listenForSettings(
  { env, ctx }: Pick<Platform, 'env' | 'ctx'>,
  invalidate: Deps['invalidate'],
): Promise<void> {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = readConfig(env)
  const later = (task: () => Promise<unknown>) => ctx.waitUntil(task())
  // Most copies are served within a second of the last question: no client is made for them.
  const open = () => openDatabase({ url, authToken })
  await currentSettings(env).refresh(open, later, () => invalidate('catalogue'))
}
