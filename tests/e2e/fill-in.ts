import type { Locator, Page } from '@playwright/test'

export const delivery = { Address: '1 Bow Lane\nCremona', Phone: '+39 0372 555 0199' }
export const adminLogin = { Email: 'admin@example.com', Password: 'practice' }
export const product = {
  ...{ 'Image URL': '/plates/flute-c.svg', Price: '349.99', 'Available quantity': '12', 'Minimum quantity': '2' },
}

/** Fills in fields by their labels, and presses a button. */
export async function fillIn(on: Page | Locator, fields: Record<string, string>, button?: string): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await on.getByLabel(label).fill(text)
  if (button !== undefined) await on.getByRole('button', { name: button }).click()
}

/** On a busy machine a press may come before the scripts: then the browser itself sends the form. */
export async function waitForScripts(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('form')].every((form) => Object.keys(form).some((key) => key.startsWith('__react'))),
  )
}
