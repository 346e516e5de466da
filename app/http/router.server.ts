import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare'

type Routes = ServerBuild['routes']

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
