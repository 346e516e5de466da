import type { Page } from '@playwright/test'
import { expect } from './shop'

/** 320 CSS pixels: the narrowest phone, and 1280 pixels at 400 % zoom (which is also that low). */
export const narrow = { width: 320, height: 256 }

/** The narrowest widths with a table and with the menu beside it. */
const sizes = [{ width: 640, height: 480 }, { width: 1024, height: 768 }, narrow]

/** Nothing of the page, or of the page at `path`, can only be seen by scrolling sideways. */
export async function expectNothingBeside(page: Page, path?: string, widths = sizes): Promise<void> {
  if (path) await page.goto(path)
  for (const size of widths) {
    await page.setViewportSize(size)
    const beside = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      // A row of the menu, of tabs or of buttons scrolls by itself.
      const row = (element: Element): Element | null =>
        element.parentElement &&
        (getComputedStyle(element.parentElement).overflowX === 'auto'
          ? element.parentElement
          : row(element.parentElement))
      const out = [...document.querySelectorAll('body *')].filter((element) => {
        const { right, width, height } = element.getBoundingClientRect()
        const isOut = right > clientWidth + 1 && width > 1 && height > 1 && !element.closest('svg, .sr-only')
        return isOut && !row(element)
      })
      return {
        tooWide: Math.max(0, scrollWidth - clientWidth),
        out: out.map(({ outerHTML }) => outerHTML.slice(0, 120)),
      }
    })
    expect(beside, `${page.url()} at ${size.width} px`).toEqual({ tooWide: 0, out: [] })
  }
}
