import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, plainSigns } from './text'

test.each([
  ['short', 9, 'short'],
  ['exactly', 7, 'exactly'],
  ['plainly', 5, 'plain'],
  ['viola🎻', 6, 'viola'],
  ['viola🎻', 7, 'viola🎻'],
  ['🎻🎻', 1, ''],
  ['Zoe\u0308 B.', 3, 'Zo'],
  ['solo 👩🏽‍🎤!', 8, 'solo '],
  ['to 🇩🇪🇮🇹', 8, 'to 🇩🇪'],
  ['two\r\nlines', 4, 'two'],
])('cuts %j to %i as %j', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut)
})

test.each([
  ['２０２６－１２－０１', '2026-12-01'],
  ['1Z‑999–AA—10−1', '1Z-999-AA-10-1'],
  ['O’Neil‘s', "O'Neil's"],
  ['SPRING\u00a010', 'SPRING 10'],
])('writes %j with plain signs as %j', (text, plain) => {
  expect(plainSigns(text)).toBe(plain)
})

test('cuts a text of any characters to one that can be stored and written into an address, and loses no more than one character', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', 'e\u0301', '🎻', '👩‍👩‍👧', '🇮🇹', 'ﷺ', '\n') })
  fc.assert(
    fc.property(texts, fc.nat(30), (text, max) => {
      const cut = cutText(text, max)
      expect([text.startsWith(cut), cut.length <= max, cut.isWellFormed()]).toEqual([true, true, true])
      if (text.length > max) expect(cut.length).toBeGreaterThan(max - 8)
    }),
  )
})

test('cuts in the middle of a letter that has no end', () => {
  const letter = `a${'\u0301'.repeat(500)}`
  expect([cutText(letter, 400).length, cutText(`ok ${letter}`, 400).length]).toEqual([400, 400])
  const family = '👩‍'.repeat(300)
  expect(cutText(family, 400).isWellFormed()).toBe(true)
})
