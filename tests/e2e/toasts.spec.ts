import { drill, expect, fillIn, signInAs, test } from './shop'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('shows and announces the same toast twice in a row', async ({ page }) => {
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard/makeAdmin')
  const toast = page.getByRole('status').locator('.toast')
  await page.getByRole('button', { name: 'Remove User' }).first().click()
  await expect(toast).toContainText('Not implemented yet!')
  await toast.evaluate((element) => (element.id = 'the-first'))
  await page.getByRole('button', { name: 'Remove User' }).first().click()
  // A live region announces new elements only.
  await expect(page.locator('#the-first')).toHaveCount(0)
  await expect(toast).toBeVisible()
  await expect(toast).toContainText('Not implemented yet!')
})

test('shows the whole toast at the top right below the header at every width', drill, async ({ page }) => {
  await page.goto('/forgot-password')
  await fillIn(page, { Email: 'ada@example.com' }, 'Send the link')
  const toast = page.locator('.toast')
  await expect(toast).toBeVisible()
  // Holds the toast after its arrival.
  await toast.evaluate((element) =>
    element.getAnimations().forEach((animation) => {
      animation.pause()
      animation.currentTime = 2000
    }),
  )
  for (const width of [320, 360, 639, 640, 768, 1280]) {
    await page.setViewportSize({ width, height: 640 })
    const box = (await toast.boundingBox())!
    const header = (await page.locator('.site-header').boundingBox())!
    const place = {
      belowHeader: box.y >= header.y + header.height,
      atTheTop: box.y < header.y + header.height + 40,
      whole: box.x >= 0 && box.x + box.width <= width && box.y + box.height <= 640,
      right: width - (box.x + box.width) <= Math.max(40, (width - 1152) / 2 + 1),
    }
    expect(place, `${width} px`).toEqual({ belowHeader: true, atTheTop: true, whole: true, right: true })
  }
})

for (const width of [320, 360]) {
  test(
    `gives the toast of a new page room at ${width} px, where it covers nothing, and moves nothing when it leaves`,
    drill,
    async ({ page }) => {
      await page.setViewportSize({ width, height: 740 })
      await page.goto('/forgot-password')
      await fillIn(page, { Email: 'ada@example.com' }, 'Send the link')
      const toast = page.locator('.toast')
      await expect(toast).toBeVisible()
      const heading = page.getByRole('heading', { level: 1 })
      const [box, { y }] = [(await toast.boundingBox())!, (await heading.boundingBox())!]
      expect(box.y + box.height).toBeLessThanOrEqual(y)
      await toast.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))
      await expect(toast).toBeHidden()
      expect((await heading.boundingBox())!.y).toBe(y)
      // Nobody sees that it was there.
      await page.reload()
      expect(y - (await heading.boundingBox())!.y).toBeLessThanOrEqual(32)
    },
  )
}

test('covers nothing of the desk with the toast of a new page, down to 320 px', drill, async ({ page }) => {
  await signInAs(page, 'admin@example.com')
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/dashboard/makeAdmin')
    await page.getByRole('button', { name: 'Remove User' }).first().click()
    const toast = page.locator('.toast')
    await expect(toast).toBeVisible()
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const menu = page.getByRole('navigation', { name: 'Dashboard' })
    const [box, { y }] = [(await toast.boundingBox())!, (await menu.boundingBox())!]
    expect(box.y + box.height, `${width} px`).toBeLessThanOrEqual(y)
    // Its room sticks to the top, and lets presses through.
    await toast.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))
    const isInTheWay = await page.evaluate(() => {
      scrollTo({ top: 300, behavior: 'instant' })
      return document.elementFromPoint(100, 10)!.closest('.toast-rail') !== null
    })
    expect(isInTheWay, `${width} px`).toBe(false)
  }
})
