import { eq, sql } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { settingsVersions } from '../../db/schema'
import { settingNames, type SettingName, type Settings } from './settings'
import { readSettings, saveSettings, sellerOf, SettingsForm } from './settings.server'

const nothing = Object.fromEntries(settingNames.map((name) => [name, ''])) as Settings
const defaults: Settings = { ...nothing, name: 'Amati', timeZone: 'UTC', holdHours: '72', returns: 'Within 30 days' }

const fill = (values: Partial<Settings> & { version?: number; seen?: number }) =>
  SettingsForm.safeParse({ ...defaults, version: 0, ...values })

async function save(shop: Store, admin: { id: string }, values: Parameters<typeof fill>[0]) {
  await saveSettings(shop.deps, admin, defaults, SettingsForm.parse({ ...defaults, version: 0, ...values }))
  return (await readSettings(shop.deps, defaults)).settings
}

test('stores a version with who and when, and only what differs from the deployment', async ({ shop }) => {
  const ada = await shop.admin()
  expect(await readSettings(shop.deps, defaults)).toEqual({ version: 0, settings: defaults, versions: [] })
  expect(await save(shop, ada, { name: 'Rosewood', returns: '' })).toEqual({
    ...defaults,
    ...{ name: 'Rosewood', returns: '' },
  })
  await save(shop, ada, { version: 1, name: 'Amati', returns: '' })
  const rows = await shop.deps.db.select().from(settingsVersions)
  expect(rows.map(({ version, document }) => [version, document])).toEqual([
    [1, '{"name":"Rosewood","returns":""}'],
    [2, '{"returns":""}'],
  ])
  const { versions } = await readSettings(shop.deps, defaults)
  expect(versions.map(({ by, changed }) => [by, changed])).toEqual([
    [ada.name, ['Shop’s name']],
    [ada.name, ['Shop’s name', 'Returns']],
  ])
  // What the deployment says now counts where nobody has said otherwise.
  expect((await readSettings(shop.deps, { ...defaults, name: 'Other', returns: 'x' })).settings).toMatchObject({
    ...{ name: 'Other', returns: '' },
  })
})

test('stores nothing when nothing has changed, and tells the page cache when something has', async ({ shop }) => {
  const ada = await shop.admin()
  const input = SettingsForm.parse({ ...defaults, version: 0 })
  const saved = (name: string) => saveSettings(shop.deps, ada, defaults, { ...input, name })
  expect([await saved('Amati'), shop.invalidated]).toEqual([[], []])
  expect([await saved('Rosewood'), await saved('Rosewood')]).toEqual([['name'], []])
  expect([(await readSettings(shop.deps, defaults)).version, shop.invalidated]).toEqual([1, ['settings']])
})

test('keeps what another admin has changed meanwhile, and refuses by name what both have', async ({ shop }) => {
  const [ada, bea] = [await shop.admin(), await shop.admin()]
  await save(shop, bea, { returns: 'Within 14 days', story: 'Ours' })
  expect(await save(shop, ada, { name: 'Rosewood' })).toMatchObject({ name: 'Rosewood', returns: 'Within 14 days' })
  await expect(save(shop, ada, { name: 'Rosewood', returns: 'Never', story: 'Mine' })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`${bea.name} saved the settings at `) as string,
    fields: {
      returns: ['Returns: now “Within 14 days”. Save again to replace it.'],
      story: ['About us: now “Ours”. Save again to replace it.'],
    },
  })
  // Having seen it.
  expect(await save(shop, ada, { seen: 2, name: 'Rosewood', returns: 'Never', story: 'Mine' })).toMatchObject({
    ...{ returns: 'Never', story: 'Mine' },
  })
  await save(shop, bea, { version: 3, returns: '', name: 'Rosewood', story: 'Mine' })
  await expect(save(shop, ada, { seen: 3, name: 'Rosewood', returns: 'Soon', story: 'Mine' })).rejects.toMatchObject({
    fields: { returns: ['Returns: now empty. Save again to replace it.'] },
  })
  await expect(save(shop, ada, { version: 9 })).rejects.toMatchObject({
    ...{ code: 'conflict', message: 'This form has expired. Reload the page.' },
  })
})

test('of edits at the same moment, each keeps its own field', async ({ shop }) => {
  const admins = await Promise.all([1, 2, 3].map(() => shop.admin()))
  const changes = [{ name: 'Rosewood' }, { returns: 'Never' }, { story: 'Ours' }]
  await Promise.all(changes.map((change, nth) => save(shop, admins[nth]!, change)))
  const { version, settings } = await readSettings(shop.deps, defaults)
  expect([version, settings]).toEqual([3, { ...defaults, name: 'Rosewood', returns: 'Never', story: 'Ours' }])
})

test('a stored version is never changed', async ({ shop }) => {
  await save(shop, await shop.admin(), { name: 'Rosewood' })
  const change = shop.deps.db.update(settingsVersions).set({ document: '{}' }).where(eq(settingsVersions.version, 1))
  await expect(change).rejects.toThrow()
  const gap = shop.deps.db.insert(settingsVersions).values({ version: 3, document: '{}', savedAt: 1, savedBy: 'x' })
  await expect(gap).rejects.toThrow()
})

const reviewDays = 'The days must be a number from 1 to 90; empty: no email'
const hours = 'The hours must be a number from 0 to 8,760; 0: until the order is cancelled'
const vat = 'VAT must be a percentage such as 19 or 7.7'
const https = (label: string) => `${label}: enter an address that starts with https://`
const phone = 'Technical support: phone: use digits, spaces and + - ( ) only, at most 32'

test.for<[values: object, message: string, field?: string]>([
  [{ name: '' }, 'Shop’s name is required'],
  [{ name: 'x'.repeat(61) }, 'Shop’s name must be at most 60 characters'],
  [{ name: '<script>alert(1)</script>' }, 'Shop’s name must be plain text, without < and >'],
  [{ name: 'Rose\r\nBcc: eve@example.com' }, 'Shop’s name contains characters that are not allowed'],
  [{ name: 'Rose‮wood' }, 'Shop’s name contains characters that are not allowed'],
  [{ tagline: 5 }, 'Tagline is required'],
  [{ secondLanguage: 'fr' }, 'Second language: choose one of the list'],
  [{ story: '<img src=x onerror=alert(1)>' }, 'About us must be plain text, without HTML'],
  [{ story: 'x'.repeat(1501) }, 'About us must be at most 1500 characters'],
  [{ supportEmail: 'nobody' }, 'Technical support: email: enter an address like name@shop.com'],
  [{ supportPhone: 'call me' }, phone],
  [{ supportPhone: '11' }, phone],
  [{ supportPhone: '1'.repeat(33) }, phone],
  [{ facebook: 'javascript:alert(1)' }, https('Facebook')],
  [{ facebook: 'https://' }, https('Facebook')],
  [{ facebook: 'https://[' }, https('Facebook')],
  [{ facebook: 'see https://shop.example' }, https('Facebook')],
  [{ facebook: 'xhttps://shop.example' }, https('Facebook')],
  [{ facebook: 'https://shop.example/a b' }, https('Facebook')],
  [{ youtube: 'http://youtube.example' }, https('YouTube')],
  [{ profile: 'https://shop.example@evil.example/' }, https('Our profile')],
  [{ profile: 'https://:secret@evil.example/' }, https('Our profile')],
  [{ profile: 'https://evil.example/" onclick="x' }, https('Our profile')],
  [{ profile: 'https://evil.example/\\' }, https('Our profile')],
  [{ mainColor: 'red' }, 'Main color: enter a color such as #7a2b1b'],
  [{ mainColor: '#7a2b1b;}body{display:none' }, 'Main color: enter a color such as #7a2b1b'],
  [
    { accentColor: '#FFD700' },
    'Accent color: #ffd700 is too light to be read on paper (below 4.5 : 1). The nearest that would do is #796600.',
  ],
  [{ logo: 'https://evil.example/logo.svg' }, 'Logo: choose a file of this computer'],
  [{ logo: '/pictures/../login' }, 'Logo: choose a file of this computer'],
  [{ logo: `/pictures/${'0'.repeat(32)}-40x30/logo.svg` }, 'Logo: choose a file of this computer'],
  [{ holdHours: '' }, hours],
  [{ holdHours: '-1' }, hours],
  [{ holdHours: '8760.01' }, hours],
  [{ reviewDays: '0' }, reviewDays],
  [{ reviewDays: '91' }, reviewDays],
  [{ reviewDays: '1.5' }, reviewDays],
  [{ vatPercent: '19' }, 'Enter the VAT number that belongs to the rate', 'vatNumber'],
  [{ vatNumber: 'DE123' }, 'Enter the rate that belongs to the VAT number', 'vatPercent'],
  [{ vatNumber: 'DE123', vatPercent: '-1' }, vat, 'vatPercent'],
  [{ vatNumber: 'DE123', vatPercent: '100' }, vat, 'vatPercent'],
  [{ sellerName: 'Rosewood Ltd' }, 'Enter the address that stands on invoices', 'sellerAddress'],
  [{ sellerAddress: '1 Bow Lane' }, 'Enter who stands on invoices', 'sellerName'],
  [{ version: undefined }, 'This form has expired. Reload the page.'],
])('refuses %j: %s', ([values, message, field = Object.keys(values)[0]!]) => {
  const { error } = fill(values)
  expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
})

test.for<[name: SettingName, typed: string, stored?: string]>([
  ['name', ' Rosewood ', 'Rosewood'],
  ['name', 'x'.repeat(60)],
  ['tagline', ' ', ''],
  ['story', 'We are < 5 and\r\nlike > 3', 'We are < 5 and\nlike > 3'],
  ['secondLanguage', 'de'],
  ['supportPhone', '112'],
  ['supportPhone', `+${'1'.repeat(31)}`],
  ['facebook', ' HTTPS://shop.example/a?b=c#d ', 'HTTPS://shop.example/a?b=c#d'],
  ['mainColor', '#7A2B1B', ''],
  ['mainColor', '#0B5394', '#0b5394'],
  ['holdHours', ' 0 ', '0'],
  ['holdHours', '8760'],
  ['holdHours', '0.25'],
  ['reviewDays', '1'],
  ['reviewDays', ' 90 ', '90'],
])('takes as %s: %j', ([name, typed, stored = typed]) => {
  expect(fill({ [name]: typed }).data?.[name]).toBe(stored)
})

test('says who stands on invoices, and nobody while the name or the address is missing', () => {
  expect(sellerOf(defaults)).toBeNull()
  const seller = { ...defaults, sellerName: 'Rosewood Ltd', sellerAddress: '1 Bow Lane' }
  for (const missing of ['sellerName', 'sellerAddress']) expect(sellerOf({ ...seller, [missing]: '' })).toBeNull()
  expect(sellerOf(seller)).toEqual({ name: 'Rosewood Ltd', address: '1 Bow Lane', vatNumber: null, vatRate: 0 })
  expect(sellerOf({ ...seller, vatNumber: 'DE123', vatPercent: '7.7' })).toMatchObject({ vatRate: 770 })
})

test('lists the last ten versions, the newest first, each with what it changed', async ({ shop }) => {
  const savedBy = 'a script'
  const documents = [
    {},
    { firstSteps: 'done' },
    { firstSteps: 'done', firstFamilies: 'kept' },
    { firstFamilies: 'kept', 'email:order-paid:button': 'Look', 'email:order-placed:subject': 'Thanks', name: 'A' },
    ...['B', 'C', 'D', 'E', 'F', 'G', 'H'].map((name) => ({ name })),
  ]
  for (const [nth, document] of documents.entries()) {
    const row = { version: nth + 1, document: JSON.stringify(document), savedAt: nth, savedBy }
    await shop.deps.db.insert(settingsVersions).values(row)
  }
  const name = 'Shop’s name'
  const [families, steps] = ['Families of a new shop kept', 'List of first steps put aside']
  const emails = ['Email “Order”', 'Email “Receipt”']
  const changes = [...Array<string[]>(6).fill([name]), [name, ...emails, families], [name, ...emails, steps]]
  const { versions } = await readSettings(shop.deps, defaults)
  expect(versions).toEqual(
    [...changes, [families], [steps]].map((changed, nth) => {
      return { version: 11 - nth, savedAt: 10 - nth, by: savedBy, changed }
    }),
  )
})

test('gives up when the database refuses five times, and at once when it is another mistake', async ({ shop }) => {
  const ada = await shop.admin()
  const input = SettingsForm.parse({ ...defaults, version: 0, name: 'Rosewood' })
  await shop.deps.db.run(sql`
    CREATE TRIGGER refuse BEFORE INSERT ON settings_versions BEGIN SELECT RAISE(ABORT, 'not now'); END`)
  let tries = 0
  const now = () => ++tries
  await expect(saveSettings({ ...shop.deps, now }, ada, defaults, input)).rejects.toThrow()
  expect(tries).toBe(5)
  await shop.deps.db.run(sql`DROP TRIGGER refuse`)
  const invalidate = () => {
    throw new Error('no cache')
  }
  await expect(saveSettings({ ...shop.deps, invalidate }, ada, defaults, input)).rejects.toThrow('no cache')
})
