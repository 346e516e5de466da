import type { Page } from '@playwright/test'

/** Opens a page of the shop, and waits until the browser has the dictionary, with which it gets further pages as their difference. */
export async function openWithDictionary<T>(page: Page, open: () => Promise<T>): Promise<T> {
  const dictionary = page.context().waitForEvent('requestfinished', (request) => request.url().endsWith('/dictionary'))
  const opened = await open()
  // Chromium asks for it when the page is idle, which one that draws nothing may never be.
  await page.mouse.move(200, 200)
  await dictionary
  // It stores it after the request has ended. For a page that is asked for meanwhile it has waited for good, or it asks for the dictionary with each page
  // and uses none (6 of 60 runs).
  await page.waitForLoadState('networkidle')
  return opened
}
