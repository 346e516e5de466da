import { FaultProxy } from '../dev/fault-proxy'
import { signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'

const open = ['/home', '/allInstruments', '/reviews', '/login', '/instruments']
const own = ['/instruments/violin-4-4', '/dashboard', '/dashboard/myOrders', '/dashboard/myProfile']
const desk = ['/dashboard/makeAdmin', '/dashboard/manageProduct', '/dashboard/manageOrders']

export async function measureTrips(stage: Stage, results: Results): Promise<void> {
  const database = await stage.database()
  const gate = new FaultProxy()
  const door = await gate.door('database', () => database.url)
  const served = await stage.shop(door, await stage.sandbox(), { EDGE_CACHE_SECONDS: '0' })
  const [ada, admin] = [await signIn(served), await signIn(served, 'admin@example.com')]
  const rows: [string, number][] = []
  for (const [paths, cookie, most] of [
    [open, '', 1],
    [own, ada.cookie, 2],
    [desk, admin.cookie, 2],
  ] as const) {
    for (const path of paths) {
      const before = gate.passed.length
      const accept = path === '/instruments' ? 'application/json' : 'text/html'
      await (await fetch(served.origin + path, { headers: { accept, cookie } })).text()
      const trips = gate.passed.length - before
      rows.push([path, trips])
      results.hold({ what: `${path}: round trips`, seen: trips, most })
    }
  }
  gate.close()
  results.say(
    '## Round trips to the database',
    '',
    'One for what everybody sees, none while it is kept; one more to know who is signed in.',
  )
  results.table(['', 'round trips'], rows)
}
