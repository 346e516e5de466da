import { matchRoutes } from '@remix-run/react'
import { expect, test } from 'vitest'
import { partsOf, segmentOf } from '../../app/http/router.server'
import { routes } from '../../build/server'

type Routes = typeof routes
type Branch = Parameters<typeof matchRoutes>[0][number]

const parts = partsOf(routes)

function matchedRoutes(routes: Routes, path: string): string[] | undefined {
  const children = (parentId: string | undefined): Branch[] =>
    Object.values(routes)
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: children(id) }))
  return matchRoutes(children(undefined), path)?.map(({ route }) => route.id!)
}

const addresses = Object.values(routes).map(
  ({ path = '' }) => `/${path.replace(/:\w+/g, 'some-id').replace('*', 'no/where')}`,
)

const spellings = (address: string) => [
  address,
  `${address}/`,
  `/${address}`,
  address.toUpperCase(),
  address.replace('e', '%65'),
  address.replace('/', '/%2F'),
  `${address}.data`,
  `${address}/and/more`,
  `${address}//`,
]

/** Remix matches a data request by the path of its page. */
function matched(path: string): string {
  return path.replace(/\.data$/, '').replace(/^\/_root$/, '/')
}

test.each([...new Set([...addresses, '/_root'])])('routes %s as the full route list would', (address) => {
  for (const path of spellings(address)) {
    const partRoutes = parts.get(segmentOf(path)) ?? routes
    expect([path, matchedRoutes(partRoutes, matched(path))]).toEqual([path, matchedRoutes(routes, matched(path))])
  }
})

test('gives a part only the routes of its paths', () => {
  expect(Object.keys(parts.get('reviews')!)).toEqual(['root', 'routes/reviews', 'routes/not-found'])
  expect(Object.keys(parts.get('')!)).toEqual(['root', 'index', 'routes/not-found'])
  expect(parts.has('nowhere')).toBe(false)
})

test('includes routes with a dynamic first segment in every part', () => {
  const route = (id: string, path: string) => ({ id, path, parentId: 'root', module: {} as never })
  const some = {
    root: { id: 'root', path: '', module: {} as never },
    a: route('a', 'a'),
    any: route('any', ':one/two'),
    maybe: route('maybe', 'b?/c'),
  }
  expect(Object.keys(partsOf(some).get('a')!)).toEqual(['root', 'a', 'any', 'maybe'])
})
