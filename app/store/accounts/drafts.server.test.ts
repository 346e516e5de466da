import { drafts } from '../../db/schema'
import { at, expect, minute, noon, test } from '../../../tests/support/store'
import { closeAccount } from '../privacy/close-account.server'
import { newSecret } from '../shared/ids.server'
import { limits, maxDraftBytes, maxDrafts } from '../shared/limits'
import { deleteDrafts, deleteExpiredDrafts, findDraft, saveDraft } from './drafts.server'

const draft = { fields: { description: 'A warm tone' }, hasFile: false }
const keyOf = (path = '/x') => ({ secret: newSecret(), path })

test('gives a draft to its user only, with the key, for half an hour', async ({ shop }) => {
  const [ada, bob, key] = [await shop.customer(), await shop.customer(), keyOf()]
  const now = at(shop, noon)
  expect(await saveDraft(now, ada, key, draft)).toBe(true)
  expect(await findDraft(at(shop, noon + 30 * minute - 1), ada, key)).toEqual(draft)
  expect(await findDraft(now, bob, key)).toBeNull()
  expect(await findDraft(now, ada, { ...key, path: '/y' })).toBeNull()
  expect(await findDraft(now, ada, { ...key, secret: newSecret() })).toBeNull()
  expect(await findDraft(at(shop, noon + 30 * minute), ada, key)).toBeNull()
  const [row] = await shop.deps.db.select().from(drafts)
  expect(Buffer.from(row!.content, 'base64url').includes('warm')).toBe(false)
  // Moved to another user, it cannot be read.
  await shop.deps.db.update(drafts).set({ userId: bob.id })
  expect(await findDraft(now, bob, key)).toBeNull()
})

test('replaces, deletes and forgets drafts', async ({ shop }) => {
  const [ada, key] = [await shop.customer(), keyOf()]
  const now = at(shop, noon)
  await saveDraft(now, ada, key, draft)
  await saveDraft(now, ada, key, { fields: { description: 'Warmer' }, hasFile: true })
  expect(await findDraft(now, ada, key)).toEqual({ fields: { description: 'Warmer' }, hasFile: true })
  await saveDraft(now, ada, { ...key, path: '/y' }, draft)
  await deleteDrafts(now, [key])
  expect([await findDraft(now, ada, key), await findDraft(now, ada, { ...key, path: '/y' })]).toEqual([null, draft])
  await deleteExpiredDrafts(at(shop, noon + 30 * minute))
  expect(await shop.deps.db.$count(drafts)).toBe(1)
  await deleteExpiredDrafts(at(shop, noon + 30 * minute + 1))
  expect(await shop.deps.db.$count(drafts)).toBe(0)
})

test('stores the newest drafts of a user only, none that is large, and none of a closed account or of nobody', async ({
  shop,
}) => {
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const key = keyOf()
  await saveDraft(at(shop, noon), bob, key, draft)
  for (let nth = 0; nth <= maxDrafts; nth++)
    await saveDraft(at(shop, noon + nth), ada, { ...key, path: `/${nth}` }, draft)
  expect(await findDraft(at(shop, noon), ada, { ...key, path: '/0' })).toBeNull()
  expect(await findDraft(at(shop, noon), ada, { ...key, path: '/1' })).toEqual(draft)
  expect(await findDraft(at(shop, noon), bob, key)).toEqual(draft)

  const rest = JSON.stringify({ fields: { a: '' }, hasFile: false }).length
  const large = (bytes: number) => ({ fields: { a: 'x'.repeat(bytes - rest) }, hasFile: false })
  expect(await saveDraft(at(shop, noon), bob, key, large(maxDraftBytes))).toBe(true)
  expect(await saveDraft(at(shop, noon), bob, key, large(maxDraftBytes + 1))).toBe(false)
  expect(await saveDraft(shop.deps, { id: 'nobody' }, key, draft)).toBe(false)
  const carl = await shop.customer()
  await closeAccount(shop.deps, carl)
  expect(await saveDraft(shop.deps, carl, key, draft)).toBe(false)
})

test('refuses more drafts than the limit from one IP address', async ({ shop }) => {
  const [ada, key] = [await shop.customer(), keyOf()]
  const now = at(shop, noon)
  const save = () => saveDraft(now, ada, key, draft)
  for (let nth = 0; nth < limits.draftsFromIp.max; nth++) await save()
  await expect(save()).rejects.toMatchObject({ code: 'too-many' })
  expect(await saveDraft({ ...now, ip: '198.51.100.1' }, ada, key, draft)).toBe(true)
})
