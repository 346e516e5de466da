import { errorJson } from './errors'
import { showsToken } from './auth/bearer.server'
import { requestIdOf } from './log.server'

/** Paths whose callers prove themselves by a signature, not by where they come from. */
const signedPaths = ['/webhooks/stripe']

/**
 * True of a request that must not run. Unsafe methods need a proof that our own pages sent them (R27): Sec-Fetch-Site or
 * Origin, else Referer, which is all that text browsers and old ones send. With none of them, a request that carries a cookie is refused. Remix checks page actions only, and answers 500.
 */
export function isCrossSite(request: Request): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return false
  const url = new URL(request.url)
  if (signedPaths.includes(url.pathname)) return false
  // A token is shown on purpose: no other site can do it in a visitor's name.
  if (showsToken(request)) return false
  return !isSameOrigin(request, url)
}

/** What such a request is answered: a program hears it as it hears every refusal (R25); for a browser, the page to show it instead. */
export function rejectCrossSite(request: Request, shopOrigin: string): Response | Request {
  const isShown = (request.headers.get('accept') ?? '').includes('text/html')
  if (!isShown) return errorJson(403, 'forbidden', 'This request did not come from the shop.')
  return new Request(`${shopOrigin}/turned-away`, {
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

/** The answer that sends a browser to the shop's own address when it came by another name of this host, or null. */
export function redirectToOrigin(request: Request, shopOrigin: string): Response | null {
  if (request.url.startsWith(`${shopOrigin}/`)) return null
  const url = new URL(request.url)
  if (!['GET', 'HEAD'].includes(request.method) || url.pathname === '/healthz') return null
  return new Response(null, { status: 308, headers: { location: shopOrigin + url.pathname + url.search } })
}
