import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { compressWith, Dictionaries, dictionaryOf, makeDictionary, offeredDictionary } from './dictionary.server'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer
const page = (main: string) =>
  `<html><style>body { color: ${'#0123456789'.repeat(20)} }</style><main>${main}</main></html>`

test('reads the hash that a browser offers', () => {
  const offered = (value: string) =>
    offeredDictionary(new Request('https://shop.example/', { headers: { 'available-dictionary': value } }))
  const hash = `${'a'.repeat(43)}=`
  expect(offered(`:${hash}:`)).toBe(hash)
  for (const wrong of ['', hash, ':YWJj:', `:${hash}:, :${hash}:`]) expect(offered(wrong)).toBeNull()
})

test('makes a dictionary of pages, with the styles once', async () => {
  const { bytes } = await makeDictionary([page('one'), page('two')])
  expect(Buffer.from(bytes).toString()).toMatch(new RegExp(`^${page('one')}<html><main>two</main></html>\ufffd+\0\0$`))
  const { bytes: long } = await makeDictionary(['ä'.repeat(40_000)])
  expect(long.length).toBe(64 * 1024)
})

test('compresses a page to its difference, or not at all', async () => {
  const dictionary = await makeDictionary([page('one and two')])
  const body = (await compressWith(dictionary, bytesOf(page('one and three'))))!
  expect(body.byteLength).toBeLessThan(36 + 40)
  const head = Buffer.from(body).subarray(0, 36)
  expect(head.toString('hex')).toBe(`ff444342${Buffer.from(dictionary.hash, 'base64').toString('hex')}`)
  // Without the ending, it refers to distances that no decoder has.
  const noise = randomBytes(64)
  const repeats = await dictionaryOf(new Uint8Array(Buffer.concat([noise, noise, noise.subarray(0, 60)])))
  expect(
    await compressWith(repeats, new Uint8Array(Buffer.concat([noise.subarray(60), noise, noise])).buffer),
  ).toBeNull()
})

test('replaces the current dictionary after an hour and knows the last ones', async () => {
  const dictionaries = new Dictionaries()
  const made = await Promise.all(Array.from({ length: 17 }, (_, number) => makeDictionary([String(number)])))
  made.forEach((dictionary, hour) => dictionaries.replace(dictionary, hour * 3_600_000))
  expect(dictionaries.current(17 * 3_600_000 - 1)).toBe(made[16])
  expect(dictionaries.current(17 * 3_600_000)).toBeNull()
  expect(made.map(({ hash }) => dictionaries.get(hash) !== undefined)).toEqual([
    false,
    ...Array<boolean>(16).fill(true),
  ])
})
