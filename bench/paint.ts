import { chromium, type Browser, type BrowserContext } from '@playwright/test'
import { provideBrowser } from '../dev/browser'
import { median } from './load'

export interface Paint {
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

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: provideBrowser(console.log), args: ['--no-sandbox', '--disable-gpu'] })
}

export async function paint(
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
