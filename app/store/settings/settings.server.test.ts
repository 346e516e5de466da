import { eq } from 'drizzle-orm'
import { expect, test, type Store } from '../../../tests/support/store'
import { settingsVersions } from '../../db/schema'
import { settingNames, type Settings } from './settings'
import { readSettings, saveSettings, sellerOf, SettingsForm } from './settings.server'

const nothing = Object.fromEntries(settingNames.map((name) => [name, ''])) as Settings
const defaults: Settings = { ...nothing, name: 'Amati', holdHours: '72', returns: 'Within 30 days' }

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
  let invalidations = 0
  const deps = { ...shop.deps, invalidate: () => void invalidations++ }
  const input = SettingsForm.parse({ ...defaults, version: 0 })
  await saveSettings(deps, ada, defaults, input)
  expect([(await readSettings(shop.deps, defaults)).version, invalidations]).toEqual([0, 0])
  for (let again = 0; again < 2; again++) await saveSettings(deps, ada, defaults, { ...input, name: 'Rosewood' })
  expect([(await readSettings(shop.deps, defaults)).version, invalidations]).toEqual([1, 1])
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
  await expect(save(shop, ada, { version: 9 })).rejects.toThrow('This form has expired.')
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

test.for([
  [{ name: '' }, 'Shop’s name is required'],
  [{ name: 'x'.repeat(61) }, 'Shop’s name must be at most 60 characters'],
  [{ name: '<script>alert(1)</script>' }, 'Shop’s name must be plain text, without < and >'],
  [{ name: 'Rose\r\nBcc: eve@example.com' }, 'Shop’s name contains characters that are not allowed'],
  [{ name: 'Rose‮wood' }, 'Shop’s name contains characters that are not allowed'],
  [{ story: '<img src=x onerror=alert(1)>' }, 'About us must be plain text, without HTML'],
  [{ story: 'x'.repeat(1501) }, 'About us must be at most 1500 characters'],
  [{ supportEmail: 'nobody' }, 'Technical support: email: enter an address like name@shop.com'],
  [{ supportPhone: 'call me' }, 'Technical support: phone: use digits, spaces and + - ( ) only, at most 32'],
  [{ facebook: 'javascript:alert(1)' }, 'Facebook: enter an address that starts with https://'],
  [{ youtube: 'http://youtube.example' }, 'YouTube: enter an address that starts with https://'],
  [{ profile: 'https://shop.example@evil.example/' }, 'Our profile: enter an address that starts with https://'],
  [{ profile: 'https://evil.example/" onclick="x' }, 'Our profile: enter an address that starts with https://'],
  [{ mainColor: 'red' }, 'Main color: enter a color such as #7a2b1b'],
  [{ mainColor: '#7a2b1b;}body{display:none' }, 'Main color: enter a color such as #7a2b1b'],
  [
    { accentColor: '#FFD700' },
    'Accent color: #ffd700 is too light to be read on paper (below 4.5 : 1). The nearest that would do is #796600.',
  ],
  [{ logo: 'https://evil.example/logo.svg' }, 'Logo: choose a file of this computer'],
  [{ logo: '/pictures/../login' }, 'Logo: choose a file of this computer'],
  [{ holdHours: '' }, 'The hours must be a number from 0 to 8,760; 0: until the order is cancelled'],
  [{ holdHours: '9000' }, 'The hours must be a number from 0 to 8,760; 0: until the order is cancelled'],
  [{ vatPercent: '19' }, 'Enter the VAT number that belongs to the rate'],
  [{ vatNumber: 'DE123' }, 'Enter the rate that belongs to the VAT number'],
  [{ vatNumber: 'DE123', vatPercent: '-1' }, 'VAT must be a percentage such as 19 or 7.7'],
  [{ sellerName: 'Rosewood Ltd' }, 'Enter the address that stands on invoices'],
] as const)('refuses %j: %s', ([values, message]) => {
  const { error } = fill(values)
  expect(error?.issues.map((issue) => issue.message)).toContain(message)
})

test('says who stands on invoices, and nobody while the address is missing', () => {
  expect(sellerOf(defaults)).toBeNull()
  const seller = { ...defaults, sellerName: 'Rosewood Ltd', sellerAddress: '1 Bow Lane' }
  expect(sellerOf(seller)).toEqual({ name: 'Rosewood Ltd', address: '1 Bow Lane', vatNumber: null, vatRate: 0 })
  expect(sellerOf({ ...seller, vatNumber: 'DE123', vatPercent: '7.7' })).toMatchObject({ vatRate: 770 })
})
