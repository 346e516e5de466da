import { expect, type Locator, type Page } from '@playwright/test'

/** Wholly within the first view: nothing was scrolled. */
export async function expectInFirstView(page: Page, ...all: Locator[]): Promise<void> {
  const { width, height } = page.viewportSize()!
  for (const each of all) {
    // A page with scripts may draw it once more in between.
    await expect(async () => {
      await expect(each).toBeVisible()
      const box = (await each.boundingBox())!
      const place = { left: box.x >= 0, right: box.x + box.width <= width, bottom: box.y + box.height <= height }
      expect(place, `${String(each)} ends at ${box.y + box.height} px`).toEqual({
        left: true,
        right: true,
        bottom: true,
      })
    }).toPass({ timeout: 15_000 })
  }
}
