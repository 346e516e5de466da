import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Package {
  dev?: boolean
  license?: string
}

/** They permit to distribute the shop under its own licence (MIT). */
const permitted = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'PSF-2.0']

test('depends on packages with permissive licences only', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> }
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  expect(shipped.length).toBeGreaterThan(20)
  const others = shipped.filter(([, { license = '' }]) => !isPermitted(license))
  expect(others.map(([path, { license }]) => [path, license])).toEqual([])
})

/** An SPDX expression without nesting. */
function isPermitted(license: string): boolean {
  const choices = license.replace(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => permitted.includes(one)))
}
