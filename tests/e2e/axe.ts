import axe from 'axe-core'
import type { Page } from '@playwright/test'
import { expect } from './shop'

/** Light and dark. Stripe's frame is transparent, so axe cannot know the background of its text. */
export async function expectNothingFrom(page: Page, path?: string) {
  if (path) await page.goto(path)
  await page.evaluate(axe.source)
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
