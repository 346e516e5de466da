import { expect, test } from '../../../tests/support/store'
import { rateLimits } from '../../db/schema'
import { shopName } from '../../shop-name'
import { ProfileUpdate, readProfile, updateProfile } from './profile.server'

const full = { name: 'Augusta', image: '/art/ada.svg', address: '1 Bow Lane\nCremona', phone: '+39 0372 555 0199' }
const none = { image: null, address: null, phone: null }

test.for([
  [{ name: '' }, 'Name is Required'],
  [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
  [{ address: 'x'.repeat(501) }, 'Address must be at most 500 characters'],
  [{ address: 5 }, 'Address is Required'],
  [{ phone: '123' }, 'Phone must be 11 digits'],
  [{ image: 'http://x' }, 'Image must start with https:// or /'],
] as const)('validates a profile: %j', ([values, message]) => {
  expect(ProfileUpdate.safeParse({ ...full, ...values }).error?.issues[0]?.message).toBe(message)
  expect(ProfileUpdate.parse({ name: 'Ada', email: ' ADA@example.com ', phone: ' ' })).toEqual({
    ...none,
    name: 'Ada',
    email: 'ada@example.com',
  })
})

test('updates the profile of one user, but never the email', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer({ name: 'Bea' })]
  await updateProfile(shop.deps, ada, { ...full, email: ada.email })
  expect(await readProfile(shop.deps, ada)).toEqual({ ...full, email: ada.email })
  expect(await readProfile(shop.deps, bea)).toEqual({ ...none, name: 'Bea', email: bea.email })
  await expect(updateProfile(shop.deps, ada, { ...full, name: 'Eve', email: bea.email })).rejects.toMatchObject({
    code: 'invalid',
    message: '',
    fields: { email: ['Email cannot be changed'] },
  })
  await updateProfile(shop.deps, ada, { ...none, name: 'Ada' })
  expect(await readProfile(shop.deps, ada)).toEqual({ ...none, name: 'Ada', email: ada.email })
})

test('leaves the name of the shop to its admins', async ({ shop }) => {
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const named = { ...none, name: ` ${shopName.replace('e', 'é').toUpperCase()}!` }
  await expect(updateProfile(shop.deps, ada, named)).rejects.toMatchObject({
    ...{ code: 'invalid', message: '', fields: { name: ['This name belongs to the shop'] } },
  })
  await updateProfile(shop.deps, { ...admin, role: 'admin' }, named)
  await updateProfile(shop.deps, { ...ada, name: named.name }, named)
})

test('limits profile updates to 60 in a quarter of an hour', async ({ shop }) => {
  const ada = await shop.customer()
  await updateProfile(shop.deps, ada, { ...none, name: 'Ada' })
  await shop.deps.db.update(rateLimits).set({ count: 59 })
  await updateProfile(shop.deps, ada, { ...none, name: 'Ada' })
  await expect(updateProfile(shop.deps, ada, { ...none, name: 'Ada' })).rejects.toMatchObject({ code: 'too-many' })
})
