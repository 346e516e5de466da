import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shopName } from '../app/shop-name'

test('the name of the shop stands in one file of app', () => {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => `app/${file}`)
    .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(shopName))).toEqual(['app/shop-name.ts'])
})
