import { vi } from 'vitest'
import { expect, test } from '../support/shop'
import { send } from '../support/http'

const marks = [
  ...[
    '//',
    '///',
    '/.//',
    '/\\',
    '%2f%2f',
    '%5c',
    '%',
    '%E0%A4%A',
    '%ff',
    '%u2215',
    '%00',
    '%0a',
    '%0d%0a{"level":"info"}',
  ],
  ...['"', "'", '<b>', '*', ':', '?a=//', '?a=%', ';', '|', '~', '¿', '/../', '@', '{', '[', '$&', '%s'],
]
const places = ['/VISITOR', '/dashboard/myOrders', '/instruments/VISITOR', '/catalog/VISITOR']

test('writes only JSON lines to the log, and nothing of an address, whatever a visitor asks for', async ({ shop }) => {
  const browser = await shop.signedIn(await shop.customer())
  await browser.get('/healthz')
  const { origin } = shop.deps
  const cookie = `session=${browser.cookie('session')!}`
  const form = { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const requests = marks.flatMap((mark) => [
    ...places.flatMap((place): [string, Parameters<typeof send>[2]][] => [
      [`${place}${mark}VISITOR`, { headers: { cookie, accept: 'text/html' } }],
      [`${mark}VISITOR${place}`, { headers: { cookie } }],
      [`${place}${mark}VISITOR`, { method: 'POST', headers: form, body: 'a=VISITOR' }],
      [`${place}${mark}VISITOR.data`, { headers: { cookie } }],
    ]),
    ...['/login', '/login.data'].map((path): [string, Parameters<typeof send>[2]] => [
      `${path}?redirectTo=${encodeURIComponent(`/x${mark}VISITOR`)}`,
      { headers: { cookie } },
    ]),
  ])
  const start = shop.log.length
  let answers = 0
  for (let at = 0; at < requests.length; at += 20) {
    const some = requests.slice(at, at + 20).filter(([path]) => URL.canParse(origin + path))
    // Some addresses do not pass the HTTP client or the runtime.
    const sent = await Promise.allSettled(some.map(([path, init]) => send(origin, path, init)))
    answers += sent.filter(({ status }) => status === 'fulfilled').length
  }
  expect(answers).toBeGreaterThan(400)
  // The last line: the others have arrived.
  await browser.post('/sign-out', {})
  await vi.waitUntil(() => shop.log.some((line) => line.includes('"signed out"')))
  const lines = shop.log.slice(start)
  expect(lines.filter((line) => !isJson(line))).toEqual([])
  expect(lines.filter((line) => line.includes('VISITOR'))).toEqual([])
})

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
