import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { retention } from '../shared/limits'
import { findMarkdownProblems } from './markdown.server'
import { starters } from './starters.server'
import { footerWords } from './pages'

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
