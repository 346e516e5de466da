import type { TestBrowser } from './test-browser'

/** Fills in the settings as they are, with the file as the logo. */
export async function sendLogo(browser: TestBrowser, file: Blob, name: string) {
  const { page } = await browser.get('/dashboard/settings')
  const fields = new FormData()
  for (const input of page.querySelectorAll('.settings input:not([type=file]), .settings textarea'))
    if (input.getAttribute('type') !== 'checkbox')
      fields.set(input.getAttribute('name')!, input.getAttribute('value') ?? input.text)
  fields.set('picture', file, name)
  return browser.post('/dashboard/settings', fields)
}
