import type { Page } from '@playwright/test'
import { expect, test } from './shop'

// DevTools counts the bytes of a page that comes through a service worker as 0.
test.use({ serviceWorkers: 'block' })

/** Opens a page of the shop, and waits until the browser has the dictionary, with which it gets further pages as their difference. */
async function openWithDictionary<T>(page: Page, open: () => Promise<T>): Promise<T> {
  let isFetched = false
  page.context().on('requestfinished', (request) => (isFetched ||= request.url().endsWith('/dictionary')))
  const opened = await open()
  // Chromium asks for it when the page is idle, which one that draws nothing may never be.
  await expect(async () => {
    await page.mouse.move(200 + 10 * Math.random(), 200)
    expect(isFetched).toBe(true)
  }).toPass({ intervals: [100], timeout: 20_000 })
  // It stores it after the request has ended.
  await page.waitForLoadState('networkidle')
  return opened
}

/** How to open pages of a tab: the response as the browser decoded it, and its bytes with headers on the line. */
async function visits(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const lengths = new Map<string, number>()
  let requestId = ''
  devtools.on('Network.loadingFinished', (event) => lengths.set(event.requestId, event.encodedDataLength))
  devtools.on('Network.responseReceived', (event) => {
    if (event.type === 'Document') requestId = event.requestId
  })
  // Once: Chromium has left this call without an answer in a tab where it was made anew for each page.
  await devtools.send('Network.enable')
  return async (path: string) => {
    requestId = ''
    const response = (await page.goto(path))!
    await expect.poll(() => lengths.get(requestId)).toBeGreaterThan(0)
    const { 'content-encoding': encoding = null, 'available-dictionary': offered = null } = {
      ...(await response.request().allHeaders()),
      ...(await response.allHeaders()),
    }
    return { encoding, offered, bytes: lengths.get(requestId)!, text: await page.locator('main').innerText() }
  }
}

test('sends further public pages as their difference to the first', async ({ page, browser, shop }) => {
  const visit = await visits(page)
  const first = await openWithDictionary(page, () => visit('/home'))
  expect(first.offered).toBeNull()
  // Brotli (`br`) is what the cache has if another test has opened the page before.
  expect([null, 'br']).toContain(first.encoding)
  for (const path of ['/allInstruments', '/login', '/catalog/oboe-conservatoire-system', '/allInstruments?q=flute']) {
    const packed = await visit(path)
    expect([path, packed.encoding]).toEqual([path, 'dcb'])
    expect(packed.bytes, path).toBeLessThanOrEqual(2400)
    // A new one for each page: it must not get a dictionary from the last.
    const stranger = await browser.newPage({ baseURL: shop.url })
    const { text } = await (await visits(stranger))(path)
    await stranger.close()
    expect(packed.text).toBe(text)
  }
})

test('sends a page as its difference through the service worker too', async ({ browser, shop }) => {
  // A Chromium that is asked for a page while it stores the dictionary may use none in that context (6 of 60 runs): then as the next visitor.
  await expect(async () => {
    const context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow' })
    context.setDefaultTimeout(10_000)
    const page = await context.newPage()
    await openWithDictionary(page, () => page.goto('/home'))
    await page.evaluate(() => navigator.serviceWorker.ready)
    const ofWorker = context.waitForEvent(
      'response',
      (response) => response.url().endsWith('/allInstruments') && response.request().serviceWorker() !== null,
    )
    await page.goto('/allInstruments')
    const { 'content-encoding': encoding } = await (await ofWorker).allHeaders()
    await context.close()
    expect(encoding).toBe('dcb')
  }).toPass()
})
