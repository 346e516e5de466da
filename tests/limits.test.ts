import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { maxPages, maxPageText } from '../app/store/pages/pages'
import * as configured from '../app/store/shared/limits'

const text = readFileSync('docs/limits.md', 'utf8')
const rows = [...text.matchAll(/^\| `(\w+)` *\|(.*)\|$/gm)].map(([, name, cells]) => ({
  name: name!,
  cells: cells!.split('|').map((cell) => cell.trim()),
}))

test.each(Object.entries(configured.limits))('docs/limits.md has the limit %s', (name, { max, window }) => {
  expect(rows.find((row) => row.name === name)?.cells[0]).toBe(`${max} in ${window / 60_000} minutes`)
})

test.each(['unpaidOrders', 'unpaidPieces', 'ordersPerQuarterHour'] as const)('docs/limits.md has %s', (name) => {
  const { verified, unverified } = configured.orderLimits
  expect(
    rows
      .find((row) => row.name === name)
      ?.cells.slice(0, 2)
      .map(Number),
  ).toEqual([verified[name], unverified[name]])
})

test('docs/limits.md has the other numbers, and names no limit that does not exist', () => {
  const { orderLimits, unverifiedShare, unverifiedIpLimits, maxResetLinks, maxSessions, retention } = configured
  const days = (ms: number) => ms / 86_400_000
  for (const words of [
    `${orderLimits.unverified.holdMs / 60_000} minutes`,
    `hold ${unverifiedShare.pieces} pieces of an instrument, or the minimum order, or half`,
    `hold ${unverifiedIpLimits.unpaidOrders} unpaid orders and ${unverifiedIpLimits.unpaidPieces} pieces, and place ${unverifiedIpLimits.ordersPerHour} orders`,
    `at most ${maxResetLinks} reset links`,
    `${maxSessions} sessions of a user and ${configured.maxAccessTokens} access tokens`,
    `At most ${configured.maxPaymentAttempts} payments`,
    `At most ${configured.maxOpenQuotes} requests for a price`,
    `At most ${configured.maxDrafts} forms of a user wait for a login, of ${configured.maxDraftBytes / 1024} KB each, for ${configured.draftTtl / 60_000} minutes`,
    `waits for at most ${configured.maxWishes} instruments`,
    `sent emails after ${days(retention.sentEmails)} days`,
    `undeliverable emails ${days(retention.undeliverableEmails)} days after the last try`,
    `at most ${configured.maxImportLines.toLocaleString('en-US')} products and ${configured.maxImportBytes / 1024 / 1024} MB`,
    `A picture has at most ${configured.maxPictureBytes / 1024 / 1024} MB, ${configured.maxPictureSide.toLocaleString('en-US')} pixels on each side and ${configured.maxPicturePixels / 1_000_000} million in all`,
    `at most ${maxPages} pages of ${maxPageText.toLocaleString('en-US')} characters each`,
    `at most ${configured.maxFamilies} families`,
    `An instrument has at most ${configured.maxPictures} pictures, of which one form uploads ${configured.maxPictureFormBytes / 1024 / 1024} MB`,
    `copies at most ${configured.maxCopiedPictures} pictures of other shops`,
    `contact messages after ${days(retention.contactMessages)} days`,
    `deliveries of webhooks after ${days(retention.webhookDeliveries)} days`,
    `${configured.maxWebhookEndpoints} endpoints of webhooks`,
    `at most ${configured.maxEmailsPerRun} emails of each kind that comes by time`,
    `comes ${configured.holdReminder.before / 3_600_000} hours before the hold of an unpaid order ends`,
    `one such email in ${days(configured.reviewEmails.apart)} days at most`,
    `shipped more than ${days(configured.reviewEmails.window)} days before its turn`,
    `at most ${configured.maxDiscounts} discount codes that have not ended, each for at most ${configured.maxDiscountInstruments} instruments`,
  ]) {
    expect(text.replace(/\s+/g, ' ')).toContain(words)
  }
  const known = [...Object.keys(configured.limits), ...Object.keys(orderLimits.verified)]
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort())
})
