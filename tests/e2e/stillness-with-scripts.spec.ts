import type { Page } from '@playwright/test'
import { customerPages, adminPages, openPages } from '../support/pages'
import { asCustomer, drill, expect, order, signInAs, test } from './shop'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

interface Shift {
  value: number
  moved: string[]
}

/** Styles and fonts arrive late, so that a layout shift would show. */
test.beforeEach(async ({ page }) => {
  await page.route(/\.(svg|png|css)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    // A busy browser paints half of the document, and the other half then moves it: styles and fonts are not the cause.
    new MutationObserver((_changes, observer) => {
      observer.disconnect()
      // A short document may be whole by now, and nothing would show it again.
      if (document.readyState === 'loading') document.documentElement.style.display = 'none'
    }).observe(document, { childList: true })
    addEventListener('DOMContentLoaded', () => document.documentElement.style.removeProperty('display'))
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Element | null }[] }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        const moved = sources.map(({ node }) => node?.outerHTML.slice(0, 120) ?? String(node?.nodeName))
        if (!hadRecentInput) shifts.push({ value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
})

test('shifts nothing while a public page loads', drill, async ({ page }) => {
  for (const path of openPages) await expectStillness(page, path)
})

asCustomer('shifts nothing while a customer page or the card form loads', drill, async ({ page }) => {
  await order(page, 'oboe', 1)
  for (const path of customerPages) await expectStillness(page, path)
  await page.goto('/dashboard/myOrders')
  await page.getByRole('rowheader').getByRole('link').click()
  await expect(page.getByRole('heading', { name: /^Order C-/ })).toBeVisible()
  await expectStillness(page)
  await page.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeEnabled()
  await expectStillness(page)
})

/** Decision 41. */
test('hardly shifts the tables of the shopkeeper while they load', drill, async ({ page }) => {
  await signInAs(page, 'admin@example.com')
  for (const path of adminPages) await expectStillness(page, path, 0.05)
})

async function expectStillness(page: Page, path?: string, most = 0): Promise<void> {
  if (path) await page.goto(path)
  const shifts = await page.evaluate(async () => {
    const inSight = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
    await Promise.all(inSight.map((image) => image.decode()))
    // A shift is reported one frame later.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return (window as unknown as { shifts: Shift[] }).shifts
  })
  if (most === 0) expect(shifts, page.url()).toEqual([])
  else
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      page.url(),
    ).toBeLessThan(most)
}
