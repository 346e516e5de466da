import { afterEach, vi } from 'vitest'
import { listen } from '../../../tests/support/listen'
import { expect, openCopy, test } from '../../../tests/support/store'
import { openDatabase } from '../../db/open.server'
import { defaultWords, emailColors, shopName, tagline } from '../../shop-name'
import { families } from '../catalog/families'
import { firstFamilies } from '../catalog/families.server'
import { inWords } from '../email/write-words.server'
import { CurrentSettings } from './current-settings.server'
import type { Settings } from './settings'

/** Without a name: there is no newer version than the one that was known. */
const answer = (version: number, name?: string, footer: string[][] = [], shown: unknown[] = []) => [
  [String(version), name ? JSON.stringify({ name }) : '', JSON.stringify(footer), JSON.stringify(shown)].map(
    (value) => ({ value }),
  ),
]

const defaults = { ...defaultWords, mainColor: '', accentColor: '', timeZone: 'UTC' } as Settings

// The name and the families are bindings of their modules, which the other test files of this thread read too.
afterEach(() => {
  new CurrentSettings(defaults).use()
  vi.useRealTimers()
})

test('keeps the newer settings when an earlier question to the database is answered later', () => {
  let changes = 0
  const settings = new CurrentSettings(defaults)
  const ask = settings.companion(() => changes++)
  const [first, second] = [ask(), ask()]
  second.read(answer(2, 'Rosewood'))
  first.read(answer(1, 'Boxwood'))
  expect([settings.values.name, changes]).toEqual(['Rosewood', 0])
  ask().read(answer(3, 'Ebony'))
  expect([settings.values.name, changes]).toEqual(['Ebony', 1])
})

test('keeps the newer settings when the database has looked at two questions in another order', () => {
  const settings = new CurrentSettings(defaults)
  const ask = settings.companion(() => undefined)
  ask().read(answer(1, 'Boxwood'))
  const [first, second] = [ask(), ask()]
  first.read(answer(2, 'Rosewood'))
  second.read(answer(1))
  expect(settings.values.name).toBe('Rosewood')
  const [third, fourth] = [ask(), ask()]
  third.read(answer(3, 'Maple'))
  fourth.read(answer(4, 'Walnut'))
  expect(settings.values.name).toBe('Walnut')
  ask().read(answer(4))
  expect(settings.values.name).toBe('Walnut')
})

test('says that pages are stale when the name, the footer or the families have changed, and only then', () => {
  let changes = 0
  const settings = new CurrentSettings(defaults)
  const ask = settings.companion(() => changes++)
  expect([settings.values.name, settings.footer]).toEqual([defaultWords.name, []])
  const hears = (...words: Parameters<typeof answer>) => {
    ask().read(answer(...words))
    return [changes, settings.values.name, settings.footer.map(({ word }) => word), families.map(({ name }) => name)]
  }
  const first = firstFamilies.map(({ name }) => name)
  expect(hears(1, 'Rosewood')).toEqual([0, 'Rosewood', [], first])
  expect(hears(1)).toEqual([0, 'Rosewood', [], first])
  const terms = [['Jobs', 'jobs', 'Work with us']]
  expect(hears(1, '', terms)).toEqual([1, 'Rosewood', ['Jobs'], first])
  const flutes = [['flutes', 'Flutes', 0, 0, []]]
  expect(hears(1, '', terms, flutes)).toEqual([2, 'Rosewood', ['Jobs'], ['Flutes']])
  expect(hears(1, '', terms, flutes)).toEqual([2, 'Rosewood', ['Jobs'], ['Flutes']])
  // A statement that failed says nothing.
  ask().read(null)
  expect([changes, settings.values.name]).toEqual([2, 'Rosewood'])
  expect(hears(2, 'Ebony')).toEqual([3, 'Ebony', [], first])
})

test('has the values of the deployment before the first migration, and the colors and words of the settings after it', () => {
  const settings = new CurrentSettings(defaults)
  const ask = settings.companion(() => undefined)
  ask().read(null)
  const plain = { ...emailColors }
  expect([settings.values, shopName, tagline]).toEqual([defaults, defaultWords.name, defaultWords.tagline])
  const hears = (version: number, stored: object) => {
    ask().read([[String(version), JSON.stringify(stored), '[]', '[]'].map((value) => ({ value }))])
    return emailColors
  }
  expect(hears(1, { mainColor: '#123456' })).toEqual({ ...plain, main: '#123456', mainDark: '#74889c' })
  expect(hears(2, { accentColor: '#123456' })).toEqual({ ...plain, accent: '#123456', accentDark: '#74889c' })
  expect(hears(3, { name: 'Rosewood', tagline: 'Fine wood', 'email:account:button': 'Look' })).toEqual(plain)
  expect([shopName, tagline]).toEqual(['Rosewood', 'Fine wood'])
  const values = { title: 'Changed', change: 'Changed.', link: 'https://shop.example' }
  expect(inWords('account', values).paragraphs.at(-1)).toEqual({ button: { text: 'Look', link: values.link } })
})

test('asks the database for what is newer than it knows', async () => {
  const { client, close } = await openCopy()
  const settings = new CurrentSettings(defaults)
  const hear = async () => {
    const { statement, read } = settings.companion(() => undefined)()
    const { rows } = await client.execute({
      sql: statement.sql,
      args: statement.args.map(({ value }) => Number(value)),
    })
    const texts = rows.map((row) => Array.from({ length: 4 }, (_, nth) => row[nth]))
    read(texts.map((row) => row.map((value) => (value === null ? {} : { value: `${value as string | number}` }))))
    return texts[0]!.slice(0, 3)
  }
  const save = (version: number, name: string) =>
    client.execute({
      sql: 'INSERT INTO settings_versions (version, document, saved_at, saved_by) VALUES (?, ?, 1, ?)',
      args: [version, JSON.stringify({ name }), 'x'],
    })
  expect([await hear(), settings.values.name]).toEqual([[null, null, '[]'], defaultWords.name])
  await save(1, 'Rosewood')
  expect([await hear(), settings.values.name]).toEqual([[1, '{"name":"Rosewood"}', '[]'], 'Rosewood'])
  expect([await hear(), settings.values.name]).toEqual([[1, '', '[]'], 'Rosewood'])
  await save(2, 'Ebony')
  await hear()
  expect(settings.values.name).toBe('Ebony')
  close()
})

test('an isolate that serves copies asks once a second, unless a request has just brought an answer', async () => {
  let requests = 0
  const open = () => openDatabase({ url: 'http://127.0.0.1:9', onOutage: () => requests++ })
  const settings = new CurrentSettings(defaults)
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const listen = async (ms: number) => {
    vi.setSystemTime(1_000_000 + ms)
    await settings.listen(open)
    return requests
  }
  expect([await listen(0), await listen(999), await listen(1000)]).toEqual([1, 1, 2])
  vi.setSystemTime(1_001_500)
  settings
    .companion(() => undefined)()
    .read(answer(0))
  expect([await listen(2499), await listen(2500)]).toEqual([2, 3])
  // What is known need not be loaded.
  await settings.load(open())
  expect(requests).toBe(3)
})

test('tells when the settings arrive after pages were rendered without them', async () => {
  let [changes, requests] = [0, 0]
  const settings = new CurrentSettings(defaults)
  await settings.load(openDatabase({ url: 'http://127.0.0.1:9', onOutage: () => requests++ }))
  expect(requests).toBe(1)
  settings
    .companion(() => changes++)()
    .read(answer(1, 'Rosewood'))
  expect(changes).toBe(1)
})

test('a shop that has stored no settings yet hears of its first footer and first name, and keeps them', async () => {
  let [changes, requests] = [0, 0]
  const settings = new CurrentSettings(defaults)
  const ask = settings.companion(() => changes++)
  ask().read(null)
  await settings.load(openDatabase({ url: 'http://127.0.0.1:9', onOutage: () => requests++ }))
  ask().read(answer(0, '', [['Jobs', 'jobs', 'Work with us']]))
  ask().read(null)
  expect([changes, requests, settings.footer]).toEqual([1, 0, [{ word: 'Jobs', path: '/pages/jobs' }]])
  ask().read(answer(1, 'Rosewood'))
  expect([changes, settings.values.name]).toEqual([2, 'Rosewood'])
})

test('a page waits 1.5 seconds for the settings of a silent database, and no longer', async () => {
  const url = await listen(() => undefined)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isLoaded = false
  const loading = new CurrentSettings(defaults).load(openDatabase({ url })).then(() => (isLoaded = true))
  await vi.advanceTimersByTimeAsync(1499)
  expect(isLoaded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await loading
})
