import { germanPrefix } from '../../i18n/paths'
import { apiSegments } from '../api-paths'
import { errorJson } from '../response/errors'
import type { ContextStep } from '../step'

/** The JSON version of a page needs its own route: a page's loader can only answer with the page. */
const apiPrefix = '/__api'

const notFoundPath = '/nowhere'

/** Leads a path that is both a page and a call to the right one. */
export const choosePageOrJson: ContextStep = async (request, _, next) => {
  const negotiated = negotiate(request)
  if (!negotiated) return errorJson(404, 'not-found', 'There is no such path.')
  const response = await next(negotiated)
  // A page without an action.
  if (response.status === 405 && request.method !== 'OPTIONS' && !response.headers.has('allow'))
    response.headers.set('allow', 'GET, HEAD')
  if (isNegotiated(new URL(request.url).pathname)) response.headers.append('vary', 'Accept')
  return response
}

/**
 * /instruments/{id} and /reviews are pages for browsers and forms, JSON for other clients (R22). Null for the private
 * JSON path itself. On other API paths a browser gets the not-found page (R40).
 */
export function negotiate(request: Request): Request | null {
  const url = new URL(request.url)
  const path = negotiatedPath(request, url.pathname)
  if (path === null || path === url.pathname) return path === null ? null : request
  url.pathname = path
  return new Request(url, request)
}

export function negotiatedPath(request: Request, path: string): string | null {
  if (decoded(path).toLowerCase().startsWith(apiPrefix)) return null
  if (hasJsonVersion(path)) return wantsHtml(request, path) ? path : apiPrefix + path
  return isApiPath(path) && prefersHtml(request) ? notFoundPath : path
}

export function publicPath(path: string): string {
  return path.startsWith(apiPrefix) ? path.slice(apiPrefix.length) : path
}

/** Beside `Accept`, what decides whether the response is the page (R64). For caches. */
export function variesBy(request: Request): string | null {
  if (!acceptsAnything(request)) return null
  const { pathname } = new URL(request.url)
  const path = pathname.startsWith(`${germanPrefix}/`) ? pathname.slice(germanPrefix.length) : pathname
  return hasJsonVersion(path) ? ['Accept-Language', 'Referer', ...ofPrograms].join(', ') : null
}

/** Whether the response needs `Vary: Accept`. The router ignores case and a trailing slash. */
export function isNegotiated(path: string): boolean {
  return hasJsonVersion(path) || isApiPath(path)
}

/** A program's, not a browser's (R22, R40). */
export function isApiCall(request: Request): boolean {
  const path = new URL(request.url).pathname
  return isNegotiated(path) && !wantsHtml(request, path)
}

/** Once negotiated, whether the API answers, not a page and not its data. */
export function isServedAsJson({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return (
    pathname.startsWith(apiPrefix) ||
    (callPattern.test(decoded(pathname)) && !hasJsonVersion(pathname) && !pathname.endsWith('.data'))
  )
}

const callPattern = new RegExp(`^/(${apiSegments.join('|')})(/|$)`, 'i')

function isApiPath(path: string): boolean {
  return apiPathPattern.test(decoded(path))
}

const apiPathPattern = new RegExp(`^/(${apiSegments.join('|')}|webhooks)(/|$)`, 'i')

function hasJsonVersion(path: string): boolean {
  return /^\/(instruments\/[^/]+|reviews)\/?$/i.test(path) && !path.endsWith('.data')
}

const formPages = /^\/instruments\//i

function wantsHtml(request: Request, path: string): boolean {
  return (
    prefersHtml(request) ||
    (isRead(request) && isBrowserForAnything(request)) ||
    (request.method === 'POST' &&
      formPages.test(path) &&
      /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? ''))
  )
}

function prefersHtml(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  const page = quality(accept, 'text/html')
  return isRead(request) && page > quality(accept, 'application/json') && page >= quality(accept, '*/*')
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function acceptsAnything({ headers }: Request): boolean {
  return headers.get('accept')?.trim() === '*/*'
}

const ofPrograms = ['Authorization', 'Origin', 'Sec-Fetch-Dest', 'Sec-Fetch-Mode', 'Sec-Fetch-Site']

/**
 * Links, ELinks and NetSurf send `Accept: *\/*`, as programs do: they are told from those by their other headers (R64). NetSurf names no
 * language, but the page that it comes from.
 */
export function isBrowserForAnything(request: Request): boolean {
  const { headers, url } = request
  if (!acceptsAnything(request)) return false
  if (headers.get('sec-fetch-dest') === 'document') return true
  if (ofPrograms.some((name) => headers.has(name))) return false
  // The `fetch` of Node and Deno speaks any language.
  if ((headers.get('accept-language') ?? '*') !== '*') return true
  return (headers.get('referer') ?? '').startsWith(`${new URL(url).origin}/`)
}

export function quality(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return 0
}

export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
