import type { Page } from '@playwright/test'
import { expect, test } from './shop'

// DevTools counts the bytes of a page that comes through a service worker as 0.
test.use({ serviceWorkers: 'block' })

/** The response as the browser decoded it, and its bytes with headers on the line. */
async function visit(page: Page, path: string) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const lengths = new Map<string, number>()
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    lengths.set(requestId, encodedDataLength),
  )
  const isPage = new Promise<string>((resolve) =>
    devtools.on('Network.responseReceived', ({ requestId, type }) => type === 'Document' && resolve(requestId)),
  )
  const response = (await page.goto(path))!
  const requestId = await isPage
  await expect.poll(() => lengths.get(requestId)).toBeGreaterThan(0)
  await devtools.detach()
  const { 'content-encoding': encoding = null, 'available-dictionary': offered = null } = {
    ...(await response.request().allHeaders()),
    ...(await response.allHeaders()),
  }
  return { encoding, offered, bytes: lengths.get(requestId)!, text: await page.locator('main').innerText() }
}

test('sends further public pages as their difference to the first', async ({ page, browser, shop }) => {
  const dictionary = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/dictionary'))
  const first = await visit(page, '/home')
  expect(first).toMatchObject({ encoding: null, offered: null })
  await dictionary
  // The browser stores it after the request has ended: a page that was asked for meanwhile waited for good, once.
  await page.waitForLoadState('networkidle')
  const stranger = await browser.newPage({ baseURL: shop.url })
  for (const path of ['/allInstruments', '/login', '/catalog/oboe-conservatoire-system', '/allInstruments?q=flute']) {
    const packed = await visit(page, path)
    expect([path, packed.encoding]).toEqual([path, 'dcb'])
    expect(packed.bytes, path).toBeLessThanOrEqual(2300)
    const { text } = await visit(stranger, path)
    expect(packed.text).toBe(text)
  }
  await stranger.close()
})
