import { expect, test } from 'vitest'
import { cleanAddress, cleanText } from './clean-text.server'

test.each([
  ['\u200bKathleen\u200e\u200f \u202aByrne\u202d\u202c', 'Kathleen Byrne'],
  ['\ufeffHurdy\u2011gurdy\u00ad\u2060', 'Hurdy-gurdy'],
  ['1\u00a0Bow\u2009Lane\u3000Cremona', '1 Bow Lane Cremona'],
  ['Zoe\u0308 \u2014 e\u200b\u0301', 'Zo\u00eb \u2014 \u00e9'],
  ['Zo\u00eb\u200dZo\u200c\u00eb\u200d', 'Zo\u00ebZo\u00eb'],
  ['Ada\ufe0f', 'Ada'],
  ['\u3164', ' '],
  ['one\u2028two\u2029three\u0085four\r\nfive\tsix', 'one\ntwo\nthree\nfour\r\nfive\tsix'],
  ['half \ud83c', 'half \ufffd'],
])('cleans %j to %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean)
})

test.each([
  'Plain text, with a\ttab\r\nand lines',
  'Dashes – as prose has them — and “quotes”, an O’Neil, ½, №',
  '👩🏽‍🎤 👨‍👩‍👧 ❤️ 1️⃣ 🇮🇹 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'می‌خواهم',
  'क्‍ष',
  '葛󠄀城',
  'ｖｉｏｌａ',
])('keeps %j', (text) => {
  expect(cleanText(text)).toBe(text)
})

test('changes nothing more the second time, and takes no longer for hostile texts', () => {
  const signs = ['a', ' ', 'é', '\u200d', '\u200b', '🎤', '🏴', '\u{e0067}', '\ufe0f', 'ن', '\u202e', '\n']
  for (let nth = 0; nth < 2000; nth++) {
    const text = Array.from({ length: 12 }, (_, at) => signs[(nth * (at + 3) * 7919 + at * at) % signs.length]).join('')
    const clean = cleanText(text)
    expect([text, cleanText(clean)]).toEqual([text, clean])
  }
  const startedAt = performance.now()
  for (const sign of [...signs, '\u0301', '\u{1f3f4}\u{e0067}', 'a\u200d']) cleanText(sign.repeat(200_000))
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('cleans the parameters of an address, and leaves all other addresses as they are', () => {
  const shop = 'https://shop.example/allInstruments'
  expect(cleanAddress(`${shop}?q=%E2%80%8Bvio%C2%ADla%C2%A0d%27amore&sort=name&q=`)).toBe(
    `${shop}?q=viola+d%27amore&sort=name&q=`,
  )
  for (const address of [shop, `${shop}?q=a+b%20c%26&x`, `${shop}/%E2%80%8B`, `${shop}?q=%7e`])
    expect(cleanAddress(address)).toBe(address)
})
