import { eq } from 'drizzle-orm'
import { expect, test, type Store, orderInput } from '../../../tests/support/store'
import { emails, instruments, users, wishes } from '../../db/schema'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { newId } from '../shared/ids.server'
import { maxWishes, retention } from '../shared/limits'
import { cancelOrder } from '../ordering/cancel-order.server'
import { releaseExpiredHolds } from '../ordering/holds.server'
import { placeOrder } from '../ordering/place-order.server'
import { importInstruments } from './import-instruments.server'
import { changeStock, removeInstrument, setHidden, updateInstrument } from './manage-instruments.server'
import { addWish, endWish, findUnsubscriber, forgetOldWishes, readWishes, unsubscribe } from './wishes.server'

const admin = { id: 'test' }

const restock = (shop: Store, id: string, pieces: number, direction: 'in' | 'out' = 'in') =>
  changeStock(shop.deps, admin, id, { pieces, direction, reason: 'Count', submissionId: newId() })

const order = (shop: Store, customer: { id: string }, instrumentId: string, orderQuantity: number) =>
  placeOrder(shop.deps, customer, orderInput(instrumentId, orderQuantity))

const alter = (shop: Store, id: string, columns: Partial<typeof instruments.$inferInsert>) =>
  shop.deps.db.update(instruments).set(columns).where(eq(instruments.id, id))

/** The subjects of what a customer got. */
async function inbox(shop: Store, { email }: { email: string }) {
  await deliverPendingEmails(shop.deps)
  return (await shop.emailsTo(email)).filter(({ subject }) => subject.startsWith('Back in stock'))
}

const linkIn = ({ text }: { text: string }) =>
  new URL(/http\S+\/unsubscribe\S+[\w-]/.exec(text)![0]).searchParams.get('token')!

test('sends one email a wish when twenty restocks come at once, and none for the next shortage', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 4, stock: 2 })
  const [ada, bo] = [await shop.customer(), await shop.customer()]
  // Asking twice is one wish.
  await Promise.all([ada, bo, ada].map((customer) => addWish(shop.deps, customer, id)))
  await restock(shop, id, 1)
  expect(await inbox(shop, ada)).toEqual([])
  await Promise.all(Array.from({ length: 20 }, () => restock(shop, id, 1)))
  for (const customer of [ada, bo]) {
    const [email, ...others] = await inbox(shop, customer)
    expect(others).toEqual([])
    expect(email!.subject).toBe('Back in stock: Oboe')
    expect(email!.text).toContain('23 in stock now, minimum order 4.')
    expect(email!.text).toContain('http://127.0.0.1:8788/catalog/oboe')
    expect((await readWishes(shop.deps, customer, null)).wished).toEqual([])
  }
  await restock(shop, id, 23, 'out')
  await restock(shop, id, 23)
  expect(await inbox(shop, ada)).toHaveLength(1)
  await restock(shop, id, 23, 'out')
  await addWish(shop.deps, ada, id)
  await restock(shop, id, 23)
  expect([(await inbox(shop, ada)).length, (await inbox(shop, bo)).length]).toEqual([2, 1])
})

test.for(['a cancelled order', 'an expired order', 'a lower minimum', 'an import', 'showing it again'] as const)(
  'sends the email after %s, and not before',
  async (cause, { shop }) => {
    const id = await shop.sells({ name: 'Oboe', minimum: 2, stock: 3 })
    const [ada, bo] = [await shop.customer(), await shop.customer()]
    const placed = await order(shop, bo, id, 2)
    await addWish(shop.deps, ada, id)
    if (cause === 'showing it again') {
      await setHidden(shop.deps, admin, id, true)
      await cancelOrder(shop.deps, bo, placed.id)
    }
    // One piece is less than the minimum.
    expect(await inbox(shop, ada)).toEqual([])
    const [before] = await shop.deps.db.select().from(instruments).where(eq(instruments.id, id))
    const { name, img, priceCents: price, version } = before!
    if (cause === 'a cancelled order') await cancelOrder(shop.deps, bo, placed.id)
    if (cause === 'an expired order') {
      const later = { ...shop.deps, now: () => Date.now() + 73 * 60 * 60 * 1000 }
      await releaseExpiredHolds(later, 10)
      await deliverPendingEmails(later)
    }
    if (cause === 'a lower minimum')
      await updateInstrument(shop.deps, admin, id, {
        ...{ name, img, price, version, minQuantity: 1, stockChange: 0, stockNote: null },
      })
    if (cause === 'an import') {
      const cells = { id, version: String(version), name, family: '', brand: '', img, description: '' }
      const numbers = { price: '1000', minQuantity: '2', availableQuantity: '1', stockChange: '1', reason: 'Found' }
      await importInstruments(shop.deps, admin, [{ line: 2, cells: { ...cells, ...numbers } }])
    }
    if (cause === 'showing it again') await setHidden(shop.deps, admin, id, false)
    expect(await inbox(shop, ada)).toHaveLength(1)
  },
)

test('sends nothing about an instrument that is removed, or that was hidden before the email left', async ({
  shop,
}) => {
  const [removed, hidden] = [await shop.sells({ stock: 0 }), await shop.sells({ stock: 0 })]
  const ada = await shop.customer()
  for (const id of [removed, hidden]) await addWish(shop.deps, ada, id)
  await removeInstrument(shop.deps, 'test', removed)
  await alter(shop, removed, { availableQuantity: 0, minQuantity: 1 })
  await restock(shop, hidden, 1)
  await shop.readLog()
  await setHidden(shop.deps, admin, hidden, true)
  expect(await inbox(shop, ada)).toEqual([])
  for (const id of [hidden, 'none'])
    await expect(addWish(shop.deps, ada, id)).rejects.toMatchObject({
      ...{ code: 'not-found', message: 'This instrument is not on sale.' },
    })
})

test('stores no wish of an unverified customer, for what is in stock, or beyond the limit', async ({ shop }) => {
  const id = await shop.sells({ stock: 0 })
  const [unverified, ada] = [await shop.customer({ verified: false }), await shop.customer()]
  await expect(addWish(shop.deps, unverified, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Please verify your email first: open the link that we sent you, or ask for a new one.',
  })
  const inStock = await shop.sells({ stock: 5, minimum: 5, name: 'Viola' })
  expect(await addWish(shop.deps, ada, inStock)).toEqual({ name: 'Viola', isOrderable: true })
  expect(await shop.deps.db.select().from(wishes)).toEqual([])

  for (let nth = 0; nth < maxWishes - 1; nth++) await addWish(shop.deps, ada, await shop.sells({ stock: 0 }))
  const last = await Promise.allSettled(
    [await shop.sells({ stock: 0 }), await shop.sells({ stock: 0 })].map((each) => addWish(shop.deps, ada, each)),
  )
  expect(last.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(addWish(shop.deps, ada, id)).rejects.toMatchObject({
    code: 'conflict',
    message: `You wait for ${maxWishes} instruments already. End one of them, and try again.`,
  })
  const [{ instrumentId } = { instrumentId: '' }] = await shop.deps.db.select().from(wishes)
  await addWish(shop.deps, ada, instrumentId)
  await endWish(shop.deps, ada, instrumentId)
  expect(await addWish(shop.deps, ada, id)).toEqual({ name: 'Concert Violin', isOrderable: false })
  // Who has got an email waits no more.
  await restock(shop, id, 1)
  await shop.readLog()
  const another = await shop.sells({ stock: 0 })
  expect(await addWish(shop.deps, ada, another)).toMatchObject({ isOrderable: false })
  await expect(addWish(shop.deps, ada, await shop.sells({ stock: 0 }))).rejects.toMatchObject({ code: 'conflict' })
  const { wished, chosen } = await readWishes(shop.deps, ada, null)
  expect([wished.length, chosen]).toEqual([maxWishes, null])
  expect((await readWishes(shop.deps, ada, inStock)).chosen).toMatchObject({ id: inStock, name: 'Viola' })
})

test('the link in the email ends all wishes of its customer, and looking at it ends none', async ({ shop }) => {
  const [oboe, viola] = [await shop.sells({ stock: 0, name: 'Oboe' }), await shop.sells({ stock: 0, name: 'Viola' })]
  const [ada, bo] = [await shop.customer(), await shop.customer()]
  for (const customer of [ada, bo]) for (const id of [oboe, viola]) await addWish(shop.deps, customer, id)
  await restock(shop, oboe, 1)
  const [email] = await inbox(shop, ada)
  const token = linkIn(email!)
  for (let nth = 0; nth < 2; nth++)
    expect(await findUnsubscriber(shop.deps, token)).toEqual({ id: ada.id, names: ['Viola'] })
  for (const wrong of ['', 'x', ada.id, token.slice(1), token.slice(0, -2)]) {
    expect(await findUnsubscriber(shop.deps, wrong)).toBeNull()
    expect(await unsubscribe(shop.deps, wrong)).toBe(false)
  }
  expect([await unsubscribe(shop.deps, token), await unsubscribe(shop.deps, token)]).toEqual([true, true])
  await restock(shop, viola, 1)
  expect([(await inbox(shop, ada)).length, (await inbox(shop, bo)).length]).toEqual([1, 2])
})

test('says so when the pieces are gone before the email leaves', async ({ shop }) => {
  const id = await shop.sells({ stock: 0, name: 'Oboe' })
  const ada = await shop.customer()
  await addWish(shop.deps, ada, id)
  await restock(shop, id, 1)
  await shop.readLog()
  await order(shop, await shop.customer(), id, 1)
  expect((await inbox(shop, ada))[0]!.text).toContain('It was back, and others were faster. Sold out now.')
})

test('spreads many emails, who asked first being first, and forgets ended wishes', async ({ shop }) => {
  const id = await shop.sells({ stock: 0 })
  const { db, now } = shop.deps
  const people = Array.from({ length: 45 }, (_, nth) => `w${String(nth).padStart(2, '0')}`)
  await db
    .insert(users)
    .values(people.map((name) => ({ id: name, name, email: `${name}@example.com`, createdAt: 1, emailVerifiedAt: 1 })))
  await db
    .insert(wishes)
    .values(people.map((userId, nth) => ({ id: userId, userId, instrumentId: id, createdAt: nth })))
  await restock(shop, id, 1)
  await shop.readLog()
  const rows = await db.select().from(emails).orderBy(emails.dueAt, emails.id)
  expect(rows.map((row) => row.id)).toEqual(people.map((name) => `back in stock:${name}`))
  const first = rows[0]!.dueAt
  expect(rows.map(({ dueAt }) => (dueAt - first) / 30_000)).toEqual(people.map((_, nth) => Math.floor(nth / 20)))
  await forgetOldWishes(shop.deps)
  expect(await db.select().from(wishes)).toHaveLength(45)
  await forgetOldWishes({ ...shop.deps, now: () => now() + retention.sentEmails + 1000 })
  expect(await db.select().from(wishes)).toEqual([])
})
