import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { errorJson } from './response/errors'
import type { ContextStep } from './step'

type Routes = ServerBuild['routes']

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Remix would log each of these as an error. */
export const refuseWhatNoRouteTakes: ContextStep = (request, _, next) => {
  if (!methods.includes(request.method))
    return errorJson(405, 'method-not-allowed', 'No path accepts this method.', { allow: methods.join(', ') })
  // Remix's data requests before Single Fetch: no page uses them, and its errors are not in our format.
  const url = new URL(request.url)
  if (url.searchParams.has('_data'))
    return errorJson(422, 'invalid', 'Some fields are not valid.', {}, { _data: ['Unknown field'] })
  if (isLongDiscovery(url)) return errorJson(414, 'too-long', 'This address is too long.')
  return next(withoutGetBody(request))
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

/** Remix matches every route, several times per request: a handler with few routes, per first segment, is faster. */
export function createRouter(build: ServerBuild, mode: string): RequestHandler {
  const fullHandler = createRequestHandler(build, mode)
  const handlers = new Map<string, RequestHandler>()
  for (const [segment, routes] of partsOf(build.routes)) {
    const assetRoutes = Object.fromEntries(Object.entries(build.assets.routes).filter(([id]) => id in routes))
    handlers.set(
      segment,
      createRequestHandler({ ...build, routes, assets: { ...build.assets, routes: assetRoutes } }, mode),
    )
  }
  return (request, context) => (handlers.get(segmentOf(new URL(request.url).pathname)) ?? fullHandler)(request, context)
}

/** '' for `/`. */
export function segmentOf(path: string): string {
  return path.split('/', 2)[1]!
}

/** By first segment ('' for `/`): the routes that can match, with their layouts, in order. */
export function partsOf(routes: Routes): Map<string, Routes> {
  const branches = Object.values(routes)
    .filter(({ path, index }) => path || index)
    .map((route) => branchTo(routes, route))
    .map((branch) => ({ branch, first: branch.flatMap(({ path }) => path?.split('/') ?? []).find(Boolean) ?? '' }))
  const isDynamic = (first: string) => /^[:*]|\?$/.test(first)
  const segments = new Set(branches.map(({ first }) => first).filter((first) => !isDynamic(first)))
  return new Map(
    [...segments].map((segment) => {
      const matches = branches.filter(({ first }) => first === segment || isDynamic(first))
      return [segment, Object.fromEntries(matches.flatMap(({ branch }) => branch.map((route) => [route.id, route])))]
    }),
  )
}

function branchTo(routes: Routes, route: Routes[string]): Routes[string][] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent ? [...branchTo(routes, parent), route] : [route]
}
