import { apiSegments } from './api-paths'

/** Where the JSON twin of a page stands: a loader of a page can answer nothing but the page. */
const apiPrefix = '/__api'

/** A path that no route has. */
const notFoundPath = '/nowhere'

/**
 * The request as the router is to see it. /instruments/{id} and /reviews are pages for whoever asks for HTML, and for forms; for
 * every other caller they are JSON (R22). The JSON stands at a private path, which nobody is led to from outside: null. The other
 * paths of programs are none for a browser, which sees the page for those (R40).
 */
export function negotiate(request: Request): Request | null {
  const url = new URL(request.url)
  const path = negotiatedPath(request, url.pathname)
  if (path === null || path === url.pathname) return path === null ? null : request
  url.pathname = path
  return new Request(url, request)
}

/** The path of `negotiate` alone. */
export function negotiatedPath(request: Request, path: string): string | null {
  if (decoded(path).toLowerCase().startsWith(apiPrefix)) return null
  if (hasJsonTwin(path)) return wantsHtml(request, path) ? path : apiPrefix + path
  return isApiPath(path) && prefersHtml(request) ? notFoundPath : path
}

/** The path by which those outside know what the router finds at this one. */
export function publicPath(path: string): string {
  return path.startsWith(apiPrefix) ? path.slice(apiPrefix.length) : path
}

/** Whether the answer depends on what kind was asked for: then caches must know. The router minds neither capitals nor a slash at the end. */
export function isNegotiated(path: string): boolean {
  return hasJsonTwin(path) || isApiPath(path)
}

/** What a person may open as well, such as /openapi.json, is the same for everybody. */
function isApiPath(path: string): boolean {
  return apiPathPattern.test(decoded(path))
}

const apiPathPattern = new RegExp(`^/(${apiSegments.join('|')}|webhooks)(/|$)`, 'i')

function hasJsonTwin(path: string): boolean {
  // Remix asks for the data of a page at its path with `.data`.
  return /^\/(instruments\/[^/]+|reviews)\/?$/i.test(path) && !path.endsWith('.data')
}

/** Of the pages with a twin, only the instrument's takes a form. */
const takesForms = /^\/instruments\//i

function wantsHtml(request: Request, path: string): boolean {
  return (
    prefersHtml(request) ||
    (request.method === 'POST' &&
      takesForms.test(path) &&
      /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? ''))
  )
}

/** Whether the answer is for somebody to look at. */
function prefersHtml({ method, headers }: Request): boolean {
  const wanted = headers.get('accept') ?? ''
  const page = quality(wanted, 'text/html')
  return /^(GET|HEAD)$/.test(method) && page > quality(wanted, 'application/json') && page >= quality(wanted, '*/*')
}

/** How much a range of types is wanted by its own name. A program wants pages least of all, if it names them. */
function quality(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return 0
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
