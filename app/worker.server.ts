import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import { language } from './i18n/language'
import { inLanguage } from './i18n/language.server'
import { germanPrefix, isBelowPrefix, localCookie, localPath, pathIn, withoutPrefix } from './i18n/paths'
import { errorJson } from './http/response/errors'
import { readConfig } from './http/config.server'
import { isCrossSite, isSafe, redirectToOrigin, rejectRequest } from './http/request/csrf.server'
import { finishHeaders } from './http/response/headers.server'
import { openDraft, withDrafts } from './http/auth/drafts.server'
import { bearerOf, hasBearerToken, isApiKey } from './http/auth/bearer.server'
import { clientIp } from './http/auth/client-ip'
import { countRequest } from './http/metrics.server'
import { codeOf, logError, logEvent, logPackageOutput, logSecurityEvent, requestIdOf } from './http/log.server'
import { isApiCall, isNegotiated, negotiate, variesBy } from './http/request/negotiate.server'
import { createRouter } from './http/router.server'
import { invalidatePageCache, servePublicPage } from './http/cache/page-cache.server'
import { cleanAddress } from './store/shared/clean-text.server'
import { deliverPendingEmails, type EmailClaim } from './store/operations/deliver-email.server'
import { runScheduledTasks } from './store/operations/scheduled-tasks.server'
import { deliverWebhooks } from './store/integrations/webhook-deliveries.server'
import { getLoadContext, listenForSettings } from './load-context.server'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Milliseconds: a Worker may end 30 seconds after its response. */
const longestDelivery = 20_000

interface Delivery {
  startedAt: number
  /** A request has ended since the emails were claimed. */
  again: boolean
}

interface EmailDelivery extends Delivery {
  /** What writes of requests have claimed along. */
  claims: EmailClaim[]
}

interface Context {
  waitUntil: (task: Promise<unknown>) => void
}

/**
 * `server.ts` takes it from the server build: bundled from source as well, every module would exist twice and
 * `instanceof` would fail between the copies.
 */
export function createWorker(build: ServerBuild, mode = 'production'): ExportedHandler<object> {
  // In development, Vite prints in the same process.
  if (mode === 'production') logPackageOutput(console)
  const handle = createRouter(withDrafts(build), mode)
  const platformOf = (env: object, ctx: Context) => {
    const platform = {
      env,
      ctx,
      version: build.assets.version,
      listen: () => listenForSettings({ env, ctx }, (what) => invalidatePageCache(platform, what)),
    }
    return platform
  }
  const contextOf = (request: Request, env: object, ctx: Context) =>
    getLoadContext({ request, env, ctx, isDelivering }, (what) => invalidatePageCache(platformOf(env, ctx), what))

  async function route(request: Request, context: AppLoadContext): Promise<Response> {
    // Remix would log each of these as an error.
    if (!methods.includes(request.method)) {
      return errorJson(405, 'method-not-allowed', 'No path accepts this method.', { allow: methods.join(', ') })
    }
    // Remix's data requests before Single Fetch: no page uses them, and its errors are not in our format.
    const url = new URL(request.url)
    if (url.searchParams.has('_data')) {
      return errorJson(422, 'invalid', 'Some fields are not valid.', {}, { _data: ['Unknown field'] })
    }
    if (isLongDiscovery(url)) return errorJson(414, 'too-long', 'This address is too long.')
    const negotiated = negotiate(withoutGetBody(request))
    if (!negotiated) return errorJson(404, 'not-found', 'There is no such path.')
    const draft = await openDraft(negotiated, context)
    if (draft instanceof Response) return draft
    const response = await handle(draft ?? negotiated, context)
    // A refused password or code may enqueue an email for the owner of the account.
    const maySend = response.status < 400 || [401, 429].includes(response.status)
    const claims = await context.takeClaims()
    const hasClaimed = claims.some(({ rows, hasWebhooks }) => rows.length > 0 || hasWebhooks)
    if (hasClaimed || (!isSafe(request) && maySend && context.mayHaveEmails)) deliverSoon(context, claims)
    // A page without an action.
    if (response.status === 405 && request.method !== 'OPTIONS' && !response.headers.has('allow'))
      response.headers.set('allow', 'GET, HEAD')
    if (isNegotiated(url.pathname)) response.headers.append('vary', 'Accept')
    return response
  }

  /** One delivery at a time: it takes the emails of requests that end meanwhile. */
  let delivery: EmailDelivery | null = null
  function isDelivering(): boolean {
    return delivery !== null && delivery.startedAt > Date.now() - longestDelivery
  }
  function deliverSoon(context: AppLoadContext, claims: EmailClaim[]): void {
    if (delivery && isDelivering()) {
      delivery.claims.push(...claims)
      delivery.again ||= context.mayHaveEmails
      // The emails' next look-up may be behind a mail server that takes its time.
      if (hasPosted) postSoon(context)
      return
    }
    const own: EmailDelivery = (delivery = { startedAt: Date.now(), again: false, claims })
    context.later(async () => {
      try {
        const again = (isFull: boolean) => {
          const isMore = (isFull || own.again) && own.startedAt > Date.now() - longestDelivery
          own.again = false
          return isMore
        }
        await deliverPendingEmails(context, { again, claims, onWebhooks: () => postSoon(context) })
      } finally {
        if (delivery === own) delivery = null
        // More came while the last ones were marked as sent.
        if (own.again || claims.length > 0) deliverSoon(context, claims)
      }
    })
  }

  /** Webhooks, beside the emails: a slow receiver delays none. One run at a time, as with emails. */
  let posting: Delivery | null = null
  let hasPosted = false
  function postSoon(context: AppLoadContext): void {
    hasPosted = true
    if (posting && posting.startedAt > Date.now() - longestDelivery) {
      posting.again = true
      return
    }
    const own: Delivery = (posting = { startedAt: Date.now(), again: false })
    context.later(async () => {
      try {
        await deliverWebhooks(context, () => {
          const isMore = own.again
          own.again = false
          return isMore
        })
      } finally {
        if (posting === own) posting = null
      }
    })
  }

  async function respond(request: Request, env: object, ctx: Context): Promise<Response> {
    const startedAt = Date.now()
    const context = await contextOf(request, env, ctx)
    const isOff = language() === 'de' && context.settings.secondLanguage !== 'de'
    const response = isOff
      ? await inLanguage('en', () => route(withPrefix(request), context))
      : await route(request, context)
    leaveGerman(response.headers, context)
    // Only an outage is worth a retry; a bug is not.
    const isUnavailable = response.status === 500 && context.outage
    logFault(request, isUnavailable ? 503 : response.status, context, startedAt)
    if (!isUnavailable) return withFinalHeaders(response, context)
    const unavailable = new Response(response.body, { status: 503, headers: response.headers })
    unavailable.headers.set('retry-after', '10')
    return withFinalHeaders(unavailable, context)
  }

  return {
    async fetch(received, env, ctx) {
      const startedAt = Date.now()
      const url = cleanAddress(received.url)
      const request = url === received.url ? received : new Request(url, received)
      try {
        const response = await serve(request, env, ctx)
        const vary = variesBy(request)
        if (vary !== null) response.headers.append('vary', vary)
        const { status } = response
        if ('METRICS' in env)
          countRequest(env, {
            route: routeOf(request.url),
            status,
            method: request.method,
            durationMs: Date.now() - startedAt,
          })
        return response
      } catch (error) {
        const requestId = requestIdOf(request)
        logError('error', 'request failed', error, { requestId, route: routeOf(request.url), status: 500 })
        // The configuration itself may be what is wrong.
        const config = { SHOP_ORIGIN: '', HSTS: '' }
        return withFinalHeaders(errorJson(500, 'internal', 'Something went wrong on our side.'), { config, requestId })
      }
    },

    async scheduled(_event, env, ctx) {
      const context = await contextOf(new Request('https://cron.invalid/'), env, ctx)
      try {
        const hasRun = await runScheduledTasks(context)
        if (!hasRun) logEvent('warn', 'cron skipped', { requestId: context.requestId })
      } catch {
        // Each failed task has its line. Cloudflare counts the run as failed.
        throw new Error('Some scheduled tasks failed')
      }
    },
  }

  function serve(request: Request, env: object, ctx: Context): Response | Promise<Response> {
    const config = readConfig(env)
    const { SHOP_ORIGIN: origin } = config
    const render = (request: Request) => respond(request, env, ctx)
    const isPlain = origin.startsWith('https:') && request.url.startsWith('http:') && mustBeEncrypted(request)
    const reason = isPlain ? 'plain http' : isCrossSite(request) ? 'foreign origin' : null
    if (reason) logSecurityEvent({ requestId: requestIdOf(request), ip: clientIp(request) }, reason)
    const rejection = reason ? rejectRequest(request, origin, refusals[reason]) : redirectToOrigin(request, origin)
    if (rejection instanceof Request) return render(rejection)
    if (rejection) return withFinalHeaders(rejection, { config, requestId: requestIdOf(request) })
    // A key is checked and counted also where its call is public.
    if (isApiKey(bearerOf(request.headers.get('authorization')))) return render(request)
    const serveHere = (request: Request) => servePublicPage(request, platformOf(env, ctx), render) ?? render(request)
    const plain = withoutPrefix(request.url)
    const german = plain === null ? null : new Request(plain, request)
    // The JSON API has no language.
    return german && (isData(german) || !isApiCall(german)) ? serveGerman(german, serveHere) : serveHere(request)
  }
}

/** From here on, the path has no prefix: what is rendered, and what is kept of it, goes by `language()`. */
async function serveGerman(
  request: Request,
  serve: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  return inLanguage('de', async () => {
    const response = await serve(request)
    const location = response.headers.get('location')
    const cookies = response.headers.getSetCookie()
    if (!location?.startsWith('/') && cookies.length === 0) return response
    const localized = new Response(response.body, response)
    if (location?.startsWith('/')) localized.headers.set('location', localPath(location))
    localized.headers.delete('set-cookie')
    for (const cookie of cookies) localized.headers.append('set-cookie', localCookie(cookie))
    return localized
  })
}

/** Of a page, for its scripts. */
function isData({ url }: Request): boolean {
  return new URL(url).pathname.endsWith('.data')
}

/** Where German is off, a login still leads on to the page that its address names: to the same one without the prefix. */
function leaveGerman(headers: Headers, { settings }: AppLoadContext): void {
  const location = headers.get('location') ?? ''
  if (settings.secondLanguage !== 'de' && isBelowPrefix(location))
    headers.set('location', location.slice(germanPrefix.length) || '/')
}

/** As it came: where German is off, there is nothing below its prefix. */
function withPrefix(request: Request): Request {
  const { origin, pathname, search } = new URL(request.url)
  return new Request(origin + pathIn('de', pathname) + search, request)
}

/** A request that fails has exactly one line, and so has one that was answered in spite of a fault. */
function logFault(request: Request, status: number, context: AppLoadContext, startedAt: number): void {
  const { requestId, fault, isReported } = context
  const hasFailed = status >= 500 && !isReported && !request.signal.aborted
  if (fault === undefined && !hasFailed) return
  const details = {
    requestId,
    method: request.method,
    route: routeOf(request.url),
    status,
    durationMs: Date.now() - startedAt,
  }
  const level = status >= 500 ? 'error' : 'warn'
  if (fault === undefined)
    logEvent(level, 'request failed', { code: context.outage ? 'database-away' : 'unavailable', ...details })
  else logError(level, 'request failed', fault, { code: codeOf(fault, context.outage), ...details })
}

/** The first parts of a path: what follows may be an id, an email or a token. */
function routeOf(url: string): string {
  const [, route = 'other'] = /^\/(dashboard\/[\w.]{1,30}|[\w.-]{0,30})(?:\/|$)/.exec(new URL(url).pathname) ?? []
  return route
}

const refusals = {
  'plain http': 'Use https.',
  'foreign origin': 'This request did not come from the shop.',
}

/** A redirect would hide from a program that it sends its token in plain text. */
function mustBeEncrypted(request: Request): boolean {
  return !isSafe(request) || hasBearerToken(request) || isApiCall(request)
}

/** Remix matches all routes for each part of each path that a page wants to discover: pages ask for one or two short ones. */
function isLongDiscovery({ pathname, search, searchParams }: URL): boolean {
  if (pathname !== '/__manifest') return false
  const paths = searchParams.getAll('p')
  return search.length > 1000 || paths.length > 4 || paths.join('/').split('/').length > 12
}

/** Remix copies the request, and `new Request` throws on a GET with a body. */
function withoutGetBody(request: Request): Request {
  const { url, method, headers, signal, body } = request
  if (!['GET', 'HEAD'].includes(method) || body === null) return request
  return new Request(url, { method, headers, signal, redirect: 'manual' })
}

function withFinalHeaders(response: Response, context: Parameters<typeof finishHeaders>[1]): Response {
  finishHeaders(response.headers, context)
  return response
}
