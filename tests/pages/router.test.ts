import { matchRoutes } from '@remix-run/react'
import { expect, test } from 'vitest'
import { partsOf, segmentOf } from '../../app/http/router.server'
import { routes } from '../../build/server'

type Routes = typeof routes
type Branch = Parameters<typeof matchRoutes>[0][number]

const parts = partsOf(routes)

/** The whole line of routes that Remix would show for a path. */
function shown(known: Routes, path: string): string[] | undefined {
  const children = (parentId: string | undefined): Branch[] =>
    Object.values(known)
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

/** Remix matches the path of the page whose data is asked for. */
function matched(path: string): string {
  return path.replace(/\.data$/, '').replace(/^\/_root$/, '/')
}

test.each([...new Set([...addresses, '/_root'])])('%s leads where all routes together would lead it', (address) => {
  for (const path of spellings(address)) {
    const known = parts.get(segmentOf(path)) ?? routes
    expect([path, shown(known, matched(path))]).toEqual([path, shown(routes, matched(path))])
  }
})

test('a part knows what its addresses can lead to, and no more', () => {
  expect(Object.keys(parts.get('reviews')!)).toEqual(['root', 'routes/reviews', 'reviews-nothing', 'routes/not-found'])
  expect(Object.keys(parts.get('')!)).toEqual(['root', 'index', 'routes/not-found'])
  expect(parts.has('nowhere')).toBe(false)
})

test('every part knows the way of a route with a name for its first segment', () => {
  const route = (id: string, path: string) => ({ id, path, parentId: 'root', module: {} as never })
  const some = {
    root: { id: 'root', path: '', module: {} as never },
    a: route('a', 'a'),
    any: route('any', ':one/two'),
    maybe: route('maybe', 'b?/c'),
  }
  expect(Object.keys(partsOf(some).get('a')!)).toEqual(['root', 'a', 'any', 'maybe'])
})
