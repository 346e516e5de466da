import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare'

type Routes = ServerBuild['routes']

/**
 * Remix's router. It looks through every route that it knows, several times a request, so each part of the shop gets one that
 * knows what its addresses can lead to and nothing else: parts are told apart by the first segment. What that does not tell (another
 * spelling, a `.data` address at the top, Remix's own) is asked of all routes.
 */
export function createRouter(build: ServerBuild, mode: string): RequestHandler {
  const whole = createRequestHandler(build, mode)
  const parts = new Map<string, RequestHandler>()
  for (const [segment, routes] of partsOf(build.routes)) {
    const known = Object.fromEntries(Object.entries(build.assets.routes).filter(([id]) => id in routes))
    parts.set(segment, createRequestHandler({ ...build, routes, assets: { ...build.assets, routes: known } }, mode))
  }
  return (request, context) => (parts.get(segmentOf(new URL(request.url).pathname)) ?? whole)(request, context)
}

/** The first segment of a path: '' for `/`. */
export function segmentOf(path: string): string {
  return path.split('/', 2)[1]!
}

/** By first segment ('' for `/`): the routes that such an address can lead to, with the layouts around them, in their order. */
export function partsOf(routes: Routes): Map<string, Routes> {
  const ways = Object.values(routes)
    .filter(({ path, index }) => path || index)
    .map((route) => wayTo(routes, route))
    .map((way) => ({ way, first: way.flatMap(({ path }) => path?.split('/') ?? []).find(Boolean) ?? '' }))
  const isAny = (first: string) => /^[:*]|\?$/.test(first)
  const segments = new Set(ways.map(({ first }) => first).filter((first) => !isAny(first)))
  return new Map(
    [...segments].map((segment) => {
      const possible = ways.filter(({ first }) => first === segment || isAny(first))
      return [segment, Object.fromEntries(possible.flatMap(({ way }) => way.map((route) => [route.id, route])))]
    }),
  )
}

/** From the root to the route. */
function wayTo(routes: Routes, route: Routes[string]): Routes[string][] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent ? [...wayTo(routes, parent), route] : [route]
}
