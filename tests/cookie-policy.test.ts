import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { starters } from '../app/store/pages/starters.server'
import { cookies, storage } from '../app/store/pages/stored'

const day = 86_400_000
const policy = starters({
  ...{ origin: 'https://shop.example', shopEmail: 'shop@shop.example', holdMs: day, reviewDays: 0, keepOrdersYears: 7 },
  ...{ seller: null, returns: null },
}).find(({ name }) => name === 'cookies')!

const sources = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(`app/${file}`, 'utf8'))

test('the cookie policy names every cookie that the source sets, and no other', () => {
  const named = sources.flatMap((text) => [
    ...[...text.matchAll(/(?:hostCookie|secureCookie|loginCookie|signedCookie)\([^()]*?'([\w-]+)'/g)].map(
      ([, name]) => name,
    ),
  ])
  expect([...new Set(named)].sort()).toEqual(cookies.map(({ name }) => name).sort())
  for (const { name } of cookies) expect(policy.body).toContain(`- \`${name}\` `)
  const keys = sources.flatMap((text) =>
    [...text.matchAll(/^const (?:key|prefix) = '(\w+)\.?'$/gm)].map(([, key]) => key),
  )
  expect([...new Set(keys)].sort()).toEqual(storage.map(({ name }) => name).sort())
})

test('the cookie policy gives the times of the source', () => {
  const lifeOf = (name: string) => cookies.find((cookie) => cookie.name === name)!.lasts
  const has = (pattern: RegExp) =>
    expect(
      sources.some((text) => pattern.test(text)),
      String(pattern),
    ).toBe(true)
  has(/const sessionMaxAge = 30 \* 24 \* 60 \* 60 \* 1000/)
  expect(lifeOf('session')).toBe(30 * day)
  has(/'session-user', 31 \* day\)/)
  expect(lifeOf('session-user')).toBe(31 * day)
  has(/'known'[^}]*maxAge: 180 \* 24 \* 60 \* 60/)
  expect(lifeOf('known')).toBe(180 * day)
  has(/loginCookieMaxAge = 600/)
  for (const name of ['second-factor', 'passkey', 'google-join']) expect(lifeOf(name)).toBe(600_000)
  for (const name of ['first-page', 'signed-out', 'bank-refusal', 'handshake']) {
    has(new RegExp(`'${name}'[^;]*?maxAge: 600\\b`))
    expect(lifeOf(name)).toBe(600_000)
  }
  has(/'toast'\),[^;]*?maxAge: 60\b/)
  expect(lifeOf('toast')).toBe(60_000)
  expect(lifeOf('submissions')).toBeNull()
})
