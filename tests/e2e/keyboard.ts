import type { Locator, Page } from '@playwright/test'
import { expect } from './shop'

/** At every stop the focus must be visible: in the window, uncovered, and outlined by two pixels or more. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 150; stops++) {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
  }
  throw new Error(`The keyboard does not come to ${String(target)}.`)
}

export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

export async function expectFocusSeen(page: Page): Promise<void> {
  const focus = await page.evaluate(() => {
    const element = document.activeElement
    // After the last stop the focus is in the browser's own bar.
    if (!element || element === document.body) return null
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const inWindow = top < innerHeight && bottom > 0 && left < innerWidth && right > 0
    const spots = [0.1, 0.5, 0.9].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)),
    )
    const inFront = spots.some((spot) => spot && (element.contains(spot) || spot.contains(element)))
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    const marked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && outlineColor !== 'rgba(0, 0, 0, 0)'
    // The card fields are in Stripe's frame, which marks the focus itself.
    return { what: element.outerHTML.slice(0, 120), inWindow, inFront, marked: marked || element.tagName === 'IFRAME' }
  })
  if (focus)
    expect(focus, `${page.url()}: ${focus.what}`).toMatchObject({ inWindow: true, inFront: true, marked: true })
}
