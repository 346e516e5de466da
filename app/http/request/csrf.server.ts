import { hasBearerToken } from '../auth/bearer.server'
import { clientIp } from '../auth/client-ip'
import { readConfig } from '../config.server'
import { logSecurityEvent, requestIdOf } from '../log.server'
import { errorJson } from '../response/errors'
import { finishHeaders } from '../response/headers.server'
import type { Step } from '../step'
import { isApiCall, isBrowserForAnything } from './negotiate.server'

const refusals = {
  'plain http': 'Use https.',
  'foreign origin': 'This request did not come from the shop.',
}

/** Refuses forms of other sites (R27), and leads from plain http and other host names to the origin of the shop. */
export const checkOrigin: Step = (request, { env }, next) => {
  const config = readConfig(env)
  const { SHOP_ORIGIN: origin } = config
  const isPlain = origin.startsWith('https:') && request.url.startsWith('http:') && mustBeEncrypted(request)
  const reason = isPlain ? 'plain http' : isCrossSite(request) ? 'foreign origin' : null
  const requestId = requestIdOf(request)
  if (reason) logSecurityEvent({ requestId, ip: clientIp(request) }, reason)
  const rejection = reason ? rejectRequest(request, origin, refusals[reason]) : redirectToOrigin(request, origin)
  return rejection instanceof Response ? finishHeaders(rejection, { config, requestId }) : next(rejection ?? request)
}

/** A redirect would hide from a program that it sends its token in plain text. */
function mustBeEncrypted(request: Request): boolean {
  return !isSafe(request) || hasBearerToken(request) || isApiCall(request)
}

/** Authenticated by a signature, not by origin. */
const signedPaths = ['/webhooks/stripe']

/** RFC 9110, section 9.2.1 */
function isSafe({ method }: Request): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/**
 * CSRF check of unsafe methods (R27): Sec-Fetch-Site or Origin, else Referer for old and text browsers. Without all
 * three, a request with a cookie is refused. Remix only checks page actions, and answers 500.
 */
export function isCrossSite(request: Request): boolean {
  if (isSafe(request)) return false
  const url = new URL(request.url)
  if (signedPaths.includes(url.pathname)) return false
  // Another site cannot make a browser send a token.
  if (hasBearerToken(request)) return false
  return !isSameOrigin(request, url)
}

/**
 * A link or a frame on another site sends the cookie with a GET too (`SameSite=Lax`): it reads nothing, but could start a download.
 * A bookmark and the address bar may.
 */
export function isLinkedFromElsewhere({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const referer = headers.get('referer')
  return referer !== null && originOf(referer) !== new URL(url).origin
}

/** A JSON response for API clients (R25); for browsers, the request of the page to render instead. */
export function rejectRequest(request: Request, shopOrigin: string, message: string): Response | Request {
  const isPage = (request.headers.get('accept') ?? '').includes('text/html') || isBrowserForAnything(request)
  if (!isPage) return errorJson(403, 'forbidden', message)
  return new Request(`${shopOrigin}/forbidden`, {
    headers: { accept: 'text/html', 'cf-ray': requestIdOf(request) },
  })
}

function isSameOrigin(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== url.origin) return false
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  if (origin !== null) return true
  const referer = request.headers.get('referer')
  if (referer !== null) return originOf(referer) === url.origin
  return !request.headers.has('cookie')
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null
}

export function redirectToOrigin(request: Request, shopOrigin: string): Response | null {
  if (request.url.startsWith(`${shopOrigin}/`)) return null
  const url = new URL(request.url)
  if (!['GET', 'HEAD'].includes(request.method) || url.pathname === '/healthz') return null
  return new Response(null, { status: 308, headers: { location: shopOrigin + url.pathname + url.search } })
}
