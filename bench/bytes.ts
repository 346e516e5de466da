import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { orderBy, signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'
import { brotli, maxScripts, weigh } from '../dev/weigh'

const pages = ['/home', '/allInstruments', '/catalog/concert-violin-4-4', '/reviews', '/login', '/register', '/nowhere']
/** At 1280 × 900. */
const rowsOnFirstScreen = 6
const paymentPage = '/dashboard/myOrders/payment/{id}'
const own = ['/instruments/violin-4-4', '/dashboard', '/dashboard/myOrders', '/dashboard/myProfile']

export async function measureBytes(stage: Stage, results: Results): Promise<void> {
  const served = await stage.shop(await stage.database(), await stage.sandbox())
  const { cookie, token } = await signIn(served)
  const weights: Record<string, ReturnType<typeof weigh>> = {}
  for (const [paths, headers] of [
    [pages, { accept: 'text/html' }],
    [own, { accept: 'text/html', cookie }],
  ] as const) {
    for (const path of paths) weights[path] = weigh(await (await fetch(served.origin + path, { headers })).text())
  }
  const brotliBytes: Record<string, number> = {}
  for (const path of pages) {
    const compressed = await fetch(served.origin + path, { headers: { accept: 'text/html', 'accept-encoding': 'br' } })
    if (compressed.headers.get('content-encoding') === 'br')
      brotliBytes[path] = Number(compressed.headers.get('content-length'))
    await compressed.arrayBuffer()
  }
  const byDictionary = await weighByDictionary(served.origin)
  const order = await fetch(`${served.origin}/order`, orderBy(token))
  const { insertedId } = await order.json<{ insertedId: string }>()
  const payment = await fetch(`${served.origin}/dashboard/myOrders/payment/${insertedId}`, {
    headers: { accept: 'text/html', cookie },
  })
  weights[paymentPage] = weigh(await payment.text())
  results.say(
    '## Bytes',
    '',
    'After brotli: dynamic HTML at quality 4, like an edge; cached pages are compressed once, at a higher quality; hashed files at 11. All images of the page, also below the fold. The payment page has Stripe’s scripts, too.',
  )
  results.table(
    ['', 'HTML with styles', 'cached', 'with the dictionary', 'of which styles', 'scripts', 'pictures', 'requests'],
    Object.entries(weights).map(([path, { html, stylesheet, scripts, pictures, requests }]) => [
      path,
      html,
      brotliBytes[path] ?? '–',
      byDictionary.pages[path] ?? '–',
      stylesheet,
      scripts,
      pictures,
      requests,
    ]),
  )
  results.say(`The dictionary (decision 24): ${byDictionary.dictionary} bytes.`)
  for (const path of ['/allInstruments', '/catalog/concert-violin-4-4', '/login']) {
    results.check({ what: `${path}, with the dictionary, bytes`, value: byDictionary.pages[path]!, max: 2000 })
  }
  // Before the long compression below: the server closes idle connections.
  const answer = await fetch(`${served.origin}/allInstruments`, { headers: { accept: 'text/html' } })
  const list = weigh(await answer.text(), rowsOnFirstScreen)
  const bundle = readFileSync('dist/worker/server.js')
  results.say(
    `Worker: ${Math.round(bundle.length / 1024)} KiB, ${Math.round(gzipSync(bundle).length / 1024)} KiB with gzip, ${Math.round(brotli(bundle, 11) / 1024)} KiB with brotli.`,
  )
  for (const path of ['/home', '/allInstruments', '/catalog/concert-violin-4-4', '/login']) {
    results.check({ what: `${path}: HTML and styles, bytes`, value: weights[path]!.html, max: 12_500 })
  }
  for (const path of own)
    results.check({ what: `${path}: scripts, bytes`, value: weights[path]!.scripts, max: maxScripts.form })
  results.check({
    what: `${paymentPage}: scripts, bytes`,
    value: weights[paymentPage].scripts,
    max: maxScripts.payment,
  })
  results.check(
    {
      what: '/allInstruments with the pictures of the first screen, bytes',
      value: list.html + list.pictures,
      max: 60_000,
    },
    { what: '/allInstruments with the pictures of the first screen: requests', value: list.requests, max: 8 },
  )
}

/** As a browser gets the public pages that has `/dictionary` (RFC 9842). */
async function weighByDictionary(origin: string): Promise<{ dictionary: number; pages: Record<string, number> }> {
  const bytes = Buffer.from(await (await fetch(`${origin}/dictionary`)).arrayBuffer())
  const hash = createHash('sha256').update(bytes).digest('base64')
  const headers = { accept: 'text/html', 'accept-encoding': 'dcb', 'available-dictionary': `:${hash}:` }
  const weighed: Record<string, number> = {}
  for (const path of pages) {
    const response = await fetch(origin + path, { headers })
    const { byteLength } = await response.arrayBuffer()
    if (response.headers.get('content-encoding') === 'dcb') weighed[path] = byteLength
  }
  return { dictionary: brotli(bytes, 10), pages: weighed }
}
