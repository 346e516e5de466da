import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from '@playwright/test'
import { expect } from './shop'

/** Half of `axe.source`, which goes to the browser for each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Light and dark. Stripe's frame is transparent, so axe cannot know the background of its text. */
export async function expectNothingFrom(page: Page, path?: string) {
  if (path) await page.goto(path)
  await page.evaluate(source)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  // Nothing else depends on the scheme.
  const dark = await findViolations(page, ['color-contrast'])
  expect([...light, ...dark].map((violation) => `${page.url()}: ${violation}`)).toEqual([])
}

function findViolations(page: Page, runOnly?: string[]): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const here = (window as unknown as { axe: typeof axe }).axe
    const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) }
    const { violations } = await here.run({ exclude: ['.card-fields iframe'] }, options as axe.RunOptions)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, runOnly)
}
