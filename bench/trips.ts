import { FaultProxy } from '../dev/fault-proxy'
import { signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'

const publicPages = [
  '/home',
  '/allInstruments',
  '/allInstruments?q=clarinet',
  '/catalog/concert-violin-4-4',
  '/reviews',
  '/login',
  '/instruments',
]
const userPages = ['/instruments/violin-4-4', '/dashboard', '/dashboard/myOrders', '/dashboard/myProfile']
const adminPages = ['/dashboard/makeAdmin', '/dashboard/manageProduct', '/dashboard/manageOrders']

export async function measureTrips(stage: Stage, results: Results): Promise<void> {
  const database = await stage.database()
  const proxy = new FaultProxy()
  const url = await proxy.open('database', () => database.url)
  const served = await stage.shop({ ...database, url }, await stage.sandbox(), { EDGE_CACHE_SECONDS: '0' })
  const [ada, admin] = [await signIn(served), await signIn(served, 'admin@example.com')]
  // Made after the first page, once an hour: it would count as a trip of that page.
  await (await fetch(`${served.origin}/dictionary`)).arrayBuffer()
  const rows: [string, number][] = []
  for (const [paths, cookie, max] of [
    [publicPages, '', 1],
    [userPages, ada.cookie, 2],
    [adminPages, admin.cookie, 2],
  ] as const) {
    for (const path of paths) {
      const before = proxy.requests.length
      const accept = path === '/instruments' ? 'application/json' : 'text/html'
      await (await fetch(served.origin + path, { headers: { accept, cookie } })).text()
      const trips = proxy.requests.length - before
      rows.push([path, trips])
      results.check({ what: `${path}: round trips`, value: trips, max })
    }
  }
  proxy.close()
  results.say(
    '## Round trips to the database',
    '',
    'One for a public page, none while it is cached; one more to find the signed-in user.',
  )
  results.table(['', 'round trips'], rows)
}
