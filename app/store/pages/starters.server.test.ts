import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { retention } from '../shared/limits'
import { findMarkdownProblems } from './markdown.server'
import { starters } from './starters.server'
import { footerWords } from './pages'
import { cookies, storage } from './stored'

const day = 86_400_000
const facts = {
  ...{
    origin: 'https://shop.example',
    shopEmail: 'shop_1@shop.example',
    holdMs: day,
    reviewDays: 0,
    keepOrdersYears: 7,
  },
  seller: { name: 'Bow & *Reed*', address: '1 Lane\nTown', vatNumber: 'DE1', vatRate: 1900 },
  returns: null,
}
const texts = Object.fromEntries(starters(facts).map((starter) => [starter.name, starter]))

test('the privacy policy has the terms of limits.ts, of docs/security.md and of this deployment', () => {
  const { body } = texts.privacy!
  const security = readFileSync('docs/security.md', 'utf8')
  for (const ms of Object.values(retention)) expect(body).toContain(`${ms / day} days`)
  expect(body).toContain('keep them for 7 whole years after the year of the payment')
  expect(security).toMatch(/sessions +\| 7 days without use, 30 days at most/)
  expect(body).toContain('for 7 days without use and 30 days at most')
  expect(security).toMatch(/texts of sent emails +\| emptied when they are sent; recipient and subject after 90 days/)
  expect(body).toContain('their texts until they are sent, recipient and subject for 90 days')
  expect(security).toMatch(/undeliverable emails +\| 90 days after the last try/)
  expect(security).toMatch(/contact messages +\| a year/)
  expect(body).toContain('as long as a limit against misuse counts')
})

test('the starters name the seller, and are texts that can be published', () => {
  expect(texts.terms!.body).toContain('Bow & \\*Reed\\*, 1 Lane, Town. VAT number DE1.')
  expect(texts.terms!.body).toContain('We hold the pieces for 1 day;')
  for (const { body, footer } of Object.values(texts)) {
    expect(findMarkdownProblems(body)).toEqual([])
    expect(footer === 'own' || footerWords.includes(footer)).toBe(true)
  }
})

const textOf = (name: string, more: object) =>
  starters({ ...facts, ...more }).find((starter) => starter.name === name)!.body

test.for([
  [day, 'for 1 day;'],
  [3 * day, 'for 3 days;'],
  [day / 24, 'for 1 hour;'],
  [36 * (day / 24), 'for 36 hours;'],
  [45 * 60_000, 'for 45 minutes;'],
] as const)('the terms say of a hold of %d ms: %s', ([holdMs, words]) => {
  expect(textOf('terms', { holdMs })).toContain(`We hold the pieces ${words} an unpaid order is then cancelled.`)
})

test('the terms say nothing of a hold, a seller or a VAT number that the shop does not have', () => {
  expect(textOf('terms', { holdMs: 0 })).not.toContain('hold')
  expect(textOf('terms', { seller: null })).toMatch(
    /^Cadenza at https:\/\/shop\.example is run by Cadenza\. Write to \[shop\\_1@shop\.example\]\(mailto:shop_1@shop\.example\)\.\n/,
  )
  const seller = { ...facts.seller, vatNumber: null }
  expect(textOf('terms', { seller })).toContain('is run by Bow & \\*Reed\\*, 1 Lane, Town. Write to')
})

test('the privacy policy speaks of emails that ask for a review if the shop sends them', () => {
  const asks = ', and 9 days after a delivery was sent perhaps one that asks for a review'
  expect([textOf('privacy', { reviewDays: 9 }).includes(asks), texts.privacy!.body.includes('asks for')]).toEqual([
    true,
    false,
  ])
})

test('the cookie policy lists each cookie with its purpose and its time', () => {
  const lines = texts.cookies!.body.split('\n').filter((line) => line.startsWith('- `'))
  expect(lines).toHaveLength(cookies.length + storage.length)
  for (const line of [
    '- `session` keeps you signed in: 30 days',
    '- `toast` carries a message to the next page: 1 minute',
    '- `submissions` makes a form that is sent twice count once: until you close the browser',
    '- `accessToken` lets the pages of the shop call it in your name: 1 hour',
  ])
    expect(lines).toContain(line)
})

test('the page about returns begins with the rule of the settings', () => {
  expect(textOf('returns', { returns: 'Within *30* days' })).toMatch(/^Within \\\*30\\\* days\n\n1\. Write to/)
  expect(texts.returns!.body).toMatch(/^You may send an instrument back within 14 days after it arrived/)
})

test('each starter has its title, address and place', () => {
  expect(starters(facts).map(({ body: _, ...starter }) => Object.values(starter))).toEqual([
    ['terms', 'Terms of use', 'terms-of-use', 'Terms of use'],
    ['privacy', 'Privacy policy', 'privacy-policy', 'Privacy policy'],
    ['cookies', 'Cookie policy', 'cookie-policy', 'Cookie policy'],
    ['returns', 'Returns', 'returns', 'own'],
  ])
})
