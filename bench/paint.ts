import { chromium, type Browser, type BrowserContext } from '@playwright/test'
import { provideBrowser } from '../dev/browser'
import { Edge } from './edge'
import { median } from './load'
import { signIn } from './people'
import type { Results } from './report'
import type { Stage } from './stage'

const pages = ['/home', '/allInstruments', '/catalog/concert-violin-4-4', '/instruments/violin-4-4']

export async function measurePaint(stage: Stage, results: Results, { rounds }: { rounds: number }): Promise<void> {
  const [database, sandbox, browser] = [await stage.database(), await stage.sandbox(), await openBrowser()]
  const rows: (string | number)[][] = []
  const paints: Record<string, Paint> = {}
  const edges = [
    { edge: await Edge.open(), name: '' },
    { edge: await Edge.open({ linked: true }), name: ', styles as a file' },
  ]
  try {
    for (const { edge, name } of edges) {
      const served = await stage.shop(database, sandbox, { SHOP_ORIGIN: edge.origin })
      edge.setTarget(served.origin)
      const { cookie } = await signIn({ ...served, origin: edge.origin })
      const cookies = cookie.split('; ').map((each) => {
        const [name = '', value = ''] = each.split('=', 2)
        return { name, value, url: edge.origin }
      })
      for (const path of pages) {
        const figures = await paint(browser, edge.origin + path, rounds, async (context) => {
          if (path.startsWith('/instruments')) await context.addCookies(cookies)
        })
        paints[path + name] = figures
        const { firstPaint, largestPaint, load, bytes, requests } = figures
        rows.push([path + name, firstPaint / 1000, largestPaint / 1000, load / 1000, bytes, requests])
      }
    }
  } finally {
    await browser.close()
    for (const { edge } of edges) edge.close()
  }
  results.say(
    '## Paint on a slow line',
    '',
    `Chromium’s Slow 3G (400 kbit/s, 2,000 ms before each answer), processor four times as slow, 360 px, empty cache; medians of ${rounds}.`,
  )
  results.table(['', 'first paint s', 'largest paint s', 'load s', 'bytes', 'requests'], rows)
  for (const path of pages) {
    results.check(
      { what: `${path}: first paint, s`, value: paints[path]!.firstPaint / 1000, max: 2.6 },
      { what: `${path}: load, s`, value: paints[path]!.load / 1000, max: 6 },
    )
  }
}

interface Paint {
  /** Milliseconds from the start of the navigation. */
  firstPaint: number
  largestPaint: number
  load: number
  bytes: number
  requests: number
}

/** Chromium's "Slow 3G": 400 kbit/s each way, 2,000 ms latency; and a CPU four times as slow. */
const slow3G = { offline: false, latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const slowdown = 4

function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: provideBrowser(console.log), args: ['--no-sandbox', '--disable-gpu'] })
}

async function paint(
  browser: Browser,
  url: string,
  times: number,
  prepare: (context: BrowserContext) => Promise<void> = () => Promise.resolve(),
): Promise<Paint> {
  const paints: Paint[] = []
  for (let time = 0; time < times; time++) {
    const context = await browser.newContext({ viewport: { width: 360, height: 780 }, deviceScaleFactor: 2 })
    await prepare(context)
    paints.push(await paintOnce(context, url))
    await context.close()
  }
  const of = (key: keyof Paint) => median(paints.map((each) => each[key]))
  return {
    firstPaint: of('firstPaint'),
    largestPaint: of('largestPaint'),
    load: of('load'),
    bytes: of('bytes'),
    requests: of('requests'),
  }
}

async function paintOnce(context: BrowserContext, url: string): Promise<Paint> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: false })
  await devtools.send('Network.emulateNetworkConditions', slow3G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  let bytes = 0
  const requestIds = new Set<string>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('http')) requestIds.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
  const times = await page.evaluate(
    () =>
      new Promise<{ firstPaint: number; largestPaint: number; load: number }>((resolve) => {
        new PerformanceObserver((list) => {
          const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
          const [first] = performance.getEntriesByName('first-contentful-paint')
          const largest = list.getEntries().at(-1)!.startTime
          resolve({ firstPaint: first!.startTime, largestPaint: largest, load: navigation!.loadEventStart })
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  const requests = requestIds.size
  await page.close()
  return { ...times, bytes, requests }
}
