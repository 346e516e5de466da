import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './shop'

/** Light and dark. Stripe's frame is transparent, so axe cannot know the background of its text. */
export async function expectNothingFrom(page: Page, path?: string) {
  if (path) await page.goto(path)
  const axe = () =>
    new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .exclude('.card-fields iframe')
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axe().analyze()
  await page.emulateMedia({ colorScheme: 'dark' })
  // Nothing else depends on the scheme.
  const dark = await axe().withRules('color-contrast').analyze()
  const violations = [...light.violations, ...dark.violations]
  expect(violations.map(({ id, nodes }) => `${page.url()}: ${id}: ${nodes[0]?.html}`)).toEqual([])
}
