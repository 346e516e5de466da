import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { orderBy, signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'
import { brotli, weigh } from './weigh'

const pages = ['/home', '/allInstruments', '/reviews', '/login', '/register', '/nowhere']
const paymentPage = '/dashboard/myOrders/payment/{id}'
const own = ['/instruments/violin-4-4', '/dashboard', '/dashboard/myOrders', '/dashboard/myProfile']

export async function measureBytes(stage: Stage, results: Results): Promise<void> {
  const served = await stage.shop((await stage.database()).url, await stage.sandbox())
  const { cookie, token } = await signIn(served)
  const weights: Record<string, ReturnType<typeof weigh>> = {}
  for (const [paths, headers] of [
    [pages, { accept: 'text/html' }],
    [own, { accept: 'text/html', cookie }],
  ] as const) {
    for (const path of paths) weights[path] = weigh(await (await fetch(served.origin + path, { headers })).text())
  }
  const packed: Record<string, number> = {}
  for (const path of pages) {
    const again = await fetch(served.origin + path, { headers: { accept: 'text/html', 'accept-encoding': 'br' } })
    if (again.headers.get('content-encoding') === 'br') packed[path] = Number(again.headers.get('content-length'))
    await again.arrayBuffer()
  }
  const placed = await fetch(`${served.origin}/order`, orderBy(token))
  const { insertedId } = await placed.json<{ insertedId: string }>()
  const payment = await fetch(`${served.origin}/dashboard/myOrders/payment/${insertedId}`, {
    headers: { accept: 'text/html', cookie },
  })
  weights[paymentPage] = weigh(await payment.text())
  results.say(
    '## Bytes',
    '',
    'After brotli: HTML at quality 4, as an edge packs what is made for each visitor; what is kept is packed once, and better; hashed files at 11. All pictures of the page, also those further down. The payment page has Stripe’s parts beside what every page with scripts has.',
  )
  results.table(
    ['', 'HTML with styles', 'the same, kept', 'of it styles', 'scripts', 'pictures', 'requests'],
    Object.entries(weights).map(([path, { html, stylesheet, scripts, pictures, requests }]) => [
      path,
      html,
      packed[path] ?? '–',
      stylesheet,
      scripts,
      pictures,
      requests,
    ]),
  )
  const bundle = readFileSync('dist/worker/server.js')
  results.say(
    `Worker: ${Math.round(bundle.length / 1024)} KiB, ${Math.round(gzipSync(bundle).length / 1024)} KiB with gzip, ${Math.round(brotli(bundle, 11) / 1024)} KiB with brotli.`,
  )
  for (const path of ['/home', '/allInstruments', '/login']) {
    results.hold({ what: `${path}: HTML and styles, bytes`, seen: weights[path]!.html, most: 12_500 })
  }
  for (const path of own) results.hold({ what: `${path}: scripts, bytes`, seen: weights[path]!.scripts, most: 80_000 })
  results.hold({ what: `${paymentPage}: scripts, bytes`, seen: weights[paymentPage].scripts, most: 88_000 })
  const list = weights['/allInstruments']!
  results.hold(
    { what: '/allInstruments with its pictures, bytes', seen: list.html + list.pictures, most: 60_000 },
    { what: '/allInstruments: requests', seen: list.requests, most: 8 },
  )
}
