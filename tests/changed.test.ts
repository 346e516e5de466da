import { expect, test } from 'vitest'
import { affectedBy } from './support/changed'

test.for([
  ['app/store/catalog/import-instruments.server.ts', 'app/store/catalog/import-instruments.server.test.ts', /import/],
  ['app/ui/catalog/structured-data.ts', undefined, /catalog/],
  ['app/http/cache/target.server.ts', undefined, undefined],
] as const)('--changed runs the nearest tests of %s, and counts those that it leaves out', ([file, unit, page]) => {
  const affected = affectedBy([file])
  if (unit) expect(affected.unit).toContain(unit)
  if (page) expect(affected.pages.join()).toMatch(page)
  expect(affected.unit.length + affected.pages.length + affected.browser.length).toBeLessThan(60)
  expect(affected.left).toBeGreaterThan(0)
})

test('--changed leaves nothing out where a change reaches a single test', () => {
  expect(affectedBy(['tests/changed.test.ts'])).toEqual({
    ...{ unit: [], pages: ['tests/changed.test.ts'], browser: [], paths: [], left: 0 },
  })
})
