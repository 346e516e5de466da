import { readdirSync, readFileSync } from 'node:fs'
import { usage } from '../../dev/cpu'
import { expect, test } from '../support/shop'

const long = 7_600
const fill = (part: string) => part.repeat(Math.floor(long / part.length))
const many = (count: number, path: (n: string) => string) =>
  Array.from({ length: count }, (_, n) => `&p=${path(n.toString(36))}`).join('')

/** With the status and the CPU milliseconds of the Worker that they may cost. */
const addresses: [address: string, status: number, max: number][] = [
  // Cost seconds in Remix.
  [`/__manifest?version={version}&p=${fill('/a')}`, 414, 5],
  [`/__manifest?version={version}${many(760, (n) => `/${n}/b`)}`, 414, 5],
  [`/__manifest?version={version}${many(38, (n) => `/${n}${'/a'.repeat(95)}`)}`, 414, 5],
  // The largest that are accepted.
  [`/__manifest?version={version}${many(3, (n) => `/dashboard/${n}/a`)}`, 200, 5],
  [`/__manifest?version={version}&p=${'/a'.repeat(11)}`, 200, 5],
  [`/__manifest?version={version}&p=/${'a'.repeat(950)}`, 200, 5],
  // As much as the page.
  [fill('/a'), 404, 20],
  [`/dashboard${fill('/a')}`, 404, 20],
  [`/dashboard/${fill('%2F')}`, 404, 20],
  [fill('/'), 200, 20],
  [`/dashboard${fill('/a')}.data`, 404, 20],
  [`/login.data?_routes=${fill('routes/auth/login,')}`, 200, 20],
  [`/allInstruments.data?q=${fill('ab ')}`, 200, 20],
  [`/allInstruments?${fill('q=violin&')}`, 200, 20],
  [`/instruments?${fill('q=a&')}`, 422, 20],
]

function workerd(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd'))!
}

const times = 20

test('spends no more CPU on a long address than on the page', async ({ shop }) => {
  await shop.configure({ EDGE_CACHE_SECONDS: '0' })
  await shop.visitor().get('/')
  const version = readdirSync('build/client/assets')
    .map((name) => /^manifest-(\w+)\.js$/.exec(name)?.[1])
    .find(Boolean)!
  const pid = workerd()
  const costOf = async (address: string, status: number) => {
    const url = shop.deps.origin + address.replace('{version}', version)
    const request = async () => {
      const response = await fetch(url, { redirect: 'manual' })
      await response.arrayBuffer()
      expect([address.slice(0, 60), response.status]).toEqual([address.slice(0, 60), status])
    }
    await request()
    const before = usage(pid).cpuMs
    for (let time = 0; time < times; time++) await request()
    return (usage(pid).cpuMs - before) / times
  }
  // About 3 ms on a quiet machine: a slow or busy one needs more for everything.
  const slowness = Math.max(1, (await costOf('/login', 200)) / 2)
  const costs: [string, number, number][] = []
  for (const [address, status, max] of addresses) {
    let least = Infinity
    for (let round = 0; round < 5 && least > max * slowness; round++) {
      least = Math.min(least, await costOf(address, status))
    }
    if (least > max * slowness) costs.push([address.slice(0, 60), least, max * slowness])
  }
  expect(costs).toEqual([])
})
