import type { Page } from '@playwright/test'
import { asCustomer, drill, expect, fillIn, test, waitForScripts } from './shop'

const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .map((animation) => ('animationName' in animation ? String(animation.animationName) : 'a transition')),
  )

asCustomer(
  'animates nothing under reduced motion, and still hides the toast on time',
  drill,
  async ({ page, javaScriptEnabled }) => {
    for (const path of ['/', '/login', '/instruments/oboe', '/dashboard', '/dashboard/myOrders']) {
      await page.goto(path)
      await page.getByRole('link', { name: 'Home' }).hover()
      expect(await moving(page), path).toEqual([])
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
    }
    await page.goto('/dashboard/addReview')
    await fillIn(page, { Review: 'Quiet.' }, 'Submit')
    await expect(page.getByRole('status')).toContainText('Thank you')
    expect(await moving(page)).toEqual(['toast-stay'])

    if (!javaScriptEnabled) return
    await page.goto('/dashboard/myProfile')
    await waitForScripts(page)
    // Never responds, so that the page stays in its pending state.
    await page.route('**/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
    await page.getByRole('button', { name: 'Update Profile' }).click()
    await expect(page.getByRole('progressbar')).toBeVisible()
    expect(await moving(page)).toEqual([])
  },
)

test('animates the toast without reduced motion', drill, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/forgot-password')
  await fillIn(page, { Email: 'ada@example.com' }, 'Send the link')
  // The animation is over within a quarter of a second: a slow machine may look too late for it to run.
  await expect(page.locator('.toast')).toHaveCSS('animation-name', 'toast-stay, toast-arrive')
})
