import type { Config } from '../config.server'

/** Credentials are never allowed, so scripts of other origins cannot use the session cookie, only a bearer token. */
export function allowOrigin(request: Request, response: Response, { API_ORIGINS }: Config): Response {
  if (API_ORIGINS.length === 0) return response
  const origin = request.headers.get('origin')
  if (!/\bOrigin\b/.test(response.headers.get('vary') ?? '')) response.headers.append('vary', 'Origin')
  if (origin !== null && API_ORIGINS.includes(origin)) {
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', 'etag, link, retry-after, x-request-id')
  }
  return response
}

export function preflight(request: Request, config: Config, allow: string): Response {
  const response = allowOrigin(request, new Response(null, { status: 204, headers: { allow } }), config)
  if (response.headers.has('access-control-allow-origin')) {
    response.headers.set('access-control-allow-methods', allow)
    response.headers.set(
      'access-control-allow-headers',
      'authorization, content-type, idempotency-key, if-match, if-none-match',
    )
    response.headers.set('access-control-max-age', '600')
  }
  return response
}
