import { expect, test } from 'vitest'
import { commonPasswords } from '../../../dev/common-passwords'
import { setShopName, shopName, tagline } from '../../shop-name'
import { newSecret } from '../shared/ids.server'
import { isTooCommon } from './common-passwords.server'

test('knows every one of the commonest passwords', () => {
  expect(commonPasswords.length).toBeGreaterThan(8000)
  expect(commonPasswords.filter((password) => !isTooCommon(password))).toEqual([])
})

test.for([
  '123456',
  'password',
  'PassWord',
  ' letmein ',
  'cadenza',
  'Cadenza2026!',
  'cadenzashop',
  '      ',
  'aaaaaaaa',
  '🎻🎻🎻🎻🎻🎻',
])('refuses %j', (password) => {
  expect(isTooCommon(password)).toBe(true)
})

test('refuses a name of several words however it is written', () => {
  const words = { name: shopName, tagline }
  try {
    setShopName({ ...words, name: 'Nut & Bolt' })
    for (const password of ['Nut & Bolt 2026', 'nutbolt!', 'nut and bolt', 'nut-bolt-shop'])
      expect([password, isTooCommon(password)]).toEqual([password, password !== 'nut and bolt'])
  } finally {
    setShopName(words)
  }
})

test('refuses the own email, the part before the @, and the own name', () => {
  const own = ['grace.hopper@example.com', 'Grace Hopper']
  for (const password of ['grace.hopper@example.com', 'Grace.Hopper', 'grace hopper']) {
    expect(isTooCommon(password, own)).toBe(true)
    expect(isTooCommon(password)).toBe(false)
  }
})

test('accepts other passwords, but for one of 2,000', () => {
  for (const password of ['practice', 'correct horse', 'cadenza of the second movement']) {
    expect(isTooCommon(password)).toBe(false)
  }
  const refused = Array.from({ length: 20_000 }, newSecret).filter((secret) => isTooCommon(secret))
  expect(refused.length).toBeLessThan(40)
})
