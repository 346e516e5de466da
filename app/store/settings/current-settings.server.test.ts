import { sql } from 'drizzle-orm'
import { afterEach, vi } from 'vitest'
import { listen } from '../../../tests/support/listen'
import { expect, test } from '../../../tests/support/store'
import { openDatabase, type Db } from '../../db/open.server'
import { settingsVersions } from '../../db/schema'
import { defaultWords, emailColors, shopName, tagline } from '../../shop-name'
import { families } from '../catalog/families'
import { firstFamilies } from '../catalog/families.server'
import { inWords } from '../email/write-words.server'
import { CurrentSettings } from './current-settings.server'
import type { Settings } from './settings'

const stored = (version: number, document: object = {}, footer: string[][] = [], shown: unknown[] = []) => [
  { version, document: JSON.stringify(document), footer: JSON.stringify(footer), families: JSON.stringify(shown) },
]

const defaults = { ...defaultWords, mainColor: '', accentColor: '', timeZone: 'UTC' } as Settings

/** `answer` is what the database says; `changes` counts how often pages became stale. */
function newIsolate(answer: () => unknown) {
  const settings = new CurrentSettings(defaults)
  const isolate = { settings, changes: 0, questions: 0, tasks: [] as Promise<unknown>[] }
  const db = {
    all: () => {
      isolate.questions++
      return Promise.resolve(answer())
    },
  } as unknown as Db
  const request = () =>
    settings.refresh(
      () => db,
      (task) => isolate.tasks.push(task()),
      () => isolate.changes++,
    )
  /** A request that waits for the answer. */
  const hears = async () => {
    settings.forget()
    await request()
    return settings.values.name
  }
  return Object.assign(isolate, { request, hears })
}

// The name and the families are bindings of their modules, which the other test files of this thread read too.
afterEach(() => {
  new CurrentSettings(defaults).use()
  vi.useRealTimers()
})

test('asks once a second, and only its first request waits for the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  let name = 'Rosewood'
  const isolate = newIsolate(() => stored(name.length, { name }))
  const at = async (ms: number) => {
    vi.setSystemTime(1_000_000 + ms)
    await isolate.request()
    return [isolate.questions, isolate.settings.values.name]
  }
  expect(await at(0)).toEqual([1, 'Rosewood'])
  name = 'Ebony'
  expect(await at(999)).toEqual([1, 'Rosewood'])
  expect(await at(1000)).toEqual([2, 'Rosewood'])
  await Promise.all(isolate.tasks)
  expect([isolate.settings.values.name, isolate.changes]).toEqual(['Ebony', 1])
  expect(await at(1001)).toEqual([2, 'Ebony'])
})

test('the request after a change of its own isolate waits for what is stored', async () => {
  let name = 'Rosewood'
  const isolate = newIsolate(() => stored(name.length, { name }))
  await isolate.request()
  name = 'Ebony'
  isolate.settings.forget()
  await isolate.request()
  expect([isolate.settings.values.name, isolate.tasks]).toEqual(['Ebony', []])
})

test('keeps the newer settings when an earlier question to the database is answered later', async () => {
  const answers: ((rows: unknown) => void)[] = []
  const isolate = newIsolate(() => new Promise((resolve) => answers.push(resolve)))
  const requests = [isolate.request(), isolate.request()]
  answers[1]!(stored(2, { name: 'Ebony' }))
  answers[0]!(stored(1, { name: 'Rosewood' }))
  await Promise.all(requests)
  expect(isolate.settings.values.name).toBe('Ebony')
})

test('an answer from before a change of its own isolate does not count', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  let answer: unknown = stored(1, { name: 'Rosewood' })
  const isolate = newIsolate(() => answer)
  await isolate.request()
  vi.setSystemTime(1_001_000)
  let late: (rows: unknown) => void = () => undefined
  answer = new Promise((resolve) => (late = resolve))
  await isolate.request()
  isolate.settings.forget()
  late(stored(1, { name: 'Rosewood' }))
  await Promise.all(isolate.tasks)
  answer = stored(2, { name: 'Ebony' })
  await isolate.request()
  expect(isolate.settings.values.name).toBe('Ebony')
})

test('says that pages are stale when the name, the footer or the families have changed, and only then', async () => {
  let answer: unknown = stored(1, { name: 'Rosewood' })
  const isolate = newIsolate(() => answer)
  const hears = async (...words: Parameters<typeof stored>) => {
    answer = stored(...words)
    const name = await isolate.hears()
    return [isolate.changes, name, isolate.settings.footer.map(({ word }) => word), families.map((each) => each.name)]
  }
  const first = firstFamilies.map(({ name }) => name)
  const [named, terms, flutes] = [
    { name: 'Rosewood' },
    [['Jobs', 'jobs', 'Work with us']],
    [['flutes', 'Flutes', 0, 0, []]],
  ]
  expect(await hears(1, named)).toEqual([0, 'Rosewood', [], first])
  expect(await hears(1, named)).toEqual([0, 'Rosewood', [], first])
  expect(await hears(1, named, terms)).toEqual([1, 'Rosewood', ['Jobs'], first])
  expect(await hears(1, named, terms, flutes)).toEqual([2, 'Rosewood', ['Jobs'], ['Flutes']])
  expect(await hears(1, named, terms, flutes)).toEqual([2, 'Rosewood', ['Jobs'], ['Flutes']])
  answer = Promise.reject(new Error('away'))
  expect([await isolate.hears(), isolate.changes]).toEqual(['Rosewood', 2])
  expect(await hears(2, { name: 'Ebony' })).toEqual([3, 'Ebony', [], first])
})

test('has the values of the deployment before the first answer, and the colors and words of the settings after it', async () => {
  let answer: unknown = []
  const isolate = newIsolate(() => answer)
  await isolate.request()
  isolate.settings.use()
  const plain = { ...emailColors }
  expect([isolate.settings.values, shopName, tagline]).toEqual([defaults, defaultWords.name, defaultWords.tagline])
  const hears = async (version: number, document: object) => {
    answer = stored(version, document)
    await isolate.hears()
    return emailColors
  }
  expect(await hears(1, { mainColor: '#123456' })).toEqual({ ...plain, main: '#123456', mainDark: '#74889c' })
  expect(await hears(2, { accentColor: '#123456' })).toEqual({ ...plain, accent: '#123456', accentDark: '#74889c' })
  expect(await hears(3, { name: 'Rosewood', tagline: 'Fine wood', 'email:account:button': 'Look' })).toEqual(plain)
  expect([shopName, tagline]).toEqual(['Rosewood', 'Fine wood'])
  const values = { title: 'Changed', change: 'Changed.', link: 'https://shop.example' }
  expect(inWords('account', values).paragraphs.at(-1)).toEqual({ button: { text: 'Look', link: values.link } })
  // Pages were rendered with the values of the deployment.
  expect(isolate.changes).toBe(3)
})

test('reads the newest version from the database', async ({ shop }) => {
  const { db } = shop.deps
  const settings = new CurrentSettings(defaults)
  const name = async () => {
    settings.forget()
    await settings.refresh(
      () => db,
      () => undefined,
      () => undefined,
    )
    return settings.values.name
  }
  const save = (version: number, name: string) =>
    db.insert(settingsVersions).values({ version, document: JSON.stringify({ name }), savedAt: 1, savedBy: 'x' })
  expect(await name()).toBe(defaultWords.name)
  await save(1, 'Rosewood')
  expect(await name()).toBe('Rosewood')
  await save(2, 'Ebony')
  expect(await name()).toBe('Ebony')
  await db.run(sql`UPDATE families SET name = 'Bowed' WHERE slug = 'strings'`)
  await name()
  expect(families.map((each) => each.name)).toContain('Bowed')
})

test('a page waits 1.5 seconds for the settings of a silent database, and no longer', async () => {
  const db = openDatabase({ url: await listen(() => undefined) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isLoaded = false
  const nothing = () => undefined
  const loading = new CurrentSettings(defaults).refresh(() => db, nothing, nothing).then(() => (isLoaded = true))
  await vi.advanceTimersByTimeAsync(1499)
  expect(isLoaded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await loading
})
