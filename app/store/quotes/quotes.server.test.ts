import { eq } from 'drizzle-orm'
import { at, expect, test, type Store } from '../../../tests/support/store'
import { isBrokenRule } from '../../db/open.server'
import { emails, quotes } from '../../db/schema'
import { day } from '../shared/dates'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { newId } from '../shared/ids.server'
import { maxOpenQuotes } from '../shared/limits'
import { payableError } from '../shared/money'
import {
  askForPrice,
  declineQuote,
  findQuote,
  listAllQuotes,
  listQuotes,
  NewQuote,
  Offer,
  offerPrice,
} from './quotes.server'

const words = { submissionId: newId(), instrumentId: 'oboe', orderQuantity: 3 }

const ask = (shop: Store, customer: { id: string }, instrumentId: string, more: Partial<NewQuote> = {}) =>
  askForPrice(shop.deps, customer, { submissionId: newId(), instrumentId, orderQuantity: 20, ...more })

const offer = (more: Partial<Offer> = {}): Offer => ({
  ...{ price: 90_00, orderQuantity: 20, validUntil: Date.now() + day, reply: null },
  ...more,
})

async function inbox(shop: Store, email: string) {
  await deliverPendingEmails(shop.deps)
  return shop.emailsTo(email)
}

const errorOf = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error)

test.for([
  [NewQuote, words, {}, undefined],
  [NewQuote, words, { orderQuantity: undefined }, 'Order quantity is Required'],
  [NewQuote, words, { orderQuantity: 1.5 }, 'Order quantity must be a whole number'],
  [NewQuote, words, { orderQuantity: 0 }, 'cannot be less than minimum order'],
  [NewQuote, words, { orderQuantity: 1_000_001 }, 'Order quantity must be at most 1,000,000'],
  [NewQuote, words, { note: 'x'.repeat(1001) }, 'Message must be at most 1000 characters'],
  [Offer, { price: '9', orderQuantity: 1, validUntil: '2026-12-31' }, {}, undefined],
  [Offer, { price: '9', orderQuantity: 1, validUntil: '2026-12-31' }, { price: '0' }, 'Price must be at least $0.01'],
  [Offer, { price: '9', orderQuantity: 1 }, {}, 'Valid until is Required'],
  [Offer, { price: '9', orderQuantity: 1 }, { validUntil: 'soon' }, 'Give a day, like 2026-12-31'],
  [Offer, { price: '9', orderQuantity: 1 }, { validUntil: '2027-02-30' }, 'Give a day, like 2026-12-31'],
] as const)('validates a request and an offer: %#', ([schema, input, more, message]) => {
  expect(schema.safeParse({ ...input, ...more }).error?.issues[0]?.message).toBe(message)
})

test('stores one request however often the form is sent, and emails the shop once', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe', stock: 5, minimum: 2 })
  const ada = await shop.customer({ name: 'Ada' })
  const form = { submissionId: newId(), note: 'For a school' }
  const sent = await Promise.all([1, 2, 3].map(() => ask(shop, ada, id, form)))
  expect(new Set(sent.map((each) => each.id)).size).toBe(1)
  for (const other of [{ orderQuantity: 21 }, { note: 'For me' }, { instrumentId: await shop.sells() }])
    await expect(ask(shop, ada, id, { ...form, ...other })).rejects.toMatchObject({
      ...{ code: 'conflict', isUsed: true },
      message: 'You already asked for a price with this form. Send it again to ask for another.',
    })
  expect((await listQuotes(shop.deps, ada, { limit: 10 })).quotes).toHaveLength(1)
  const [email, ...others] = await inbox(shop, 'shop@cadenza.example')
  expect([email!.subject, others]).toEqual(['Price request: 20 × Oboe', []])
  for (const text of [`Ada <${ada.email}> asks for a price`, 'For a school', `/dashboard/manageQuotes/${sent[0]!.id}`])
    expect(email!.text).toContain(text)
})

test('refuses a request that nobody could answer', async ({ shop }) => {
  const id = await shop.sells({ minimum: 5 })
  const ada = await shop.customer()
  await expect(ask(shop, await shop.customer({ verified: false }), id)).rejects.toThrow(
    'Please verify your email first',
  )
  await expect(ask(shop, ada, 'none')).rejects.toMatchObject({
    ...{ code: 'not-found', message: 'This instrument is not on sale.' },
  })
  expect(await errorOf(ask(shop, ada, id, { orderQuantity: 4 }))).toMatchObject({
    ...{ code: 'invalid', message: '' },
    fields: { orderQuantity: ['cannot be less than minimum order'] },
  })
  const results = await Promise.allSettled(Array.from({ length: maxOpenQuotes + 2 }, () => ask(shop, ada, id)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxOpenQuotes)
  await expect(ask(shop, ada, id, { orderQuantity: 5 })).rejects.toMatchObject({
    code: 'conflict',
    message: `${maxOpenQuotes} of your requests wait for an answer. Please wait for one of them.`,
  })
  // What is answered waits no more.
  const [first, second] = (await listQuotes(shop.deps, ada, { limit: 2 })).quotes
  const admin = await shop.admin()
  await declineQuote(shop.deps, admin, first!.id, { reason: 'No' })
  await offerPrice(shop.deps, admin, second!.id, offer())
  const further = await Promise.allSettled(Array.from({ length: 3 }, () => ask(shop, ada, id)))
  expect(further.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('sends an offer once to its customer, and shows it to nobody else', async ({ shop }) => {
  const instrument = await shop.sells({ name: 'Oboe', minimum: 2, stock: 19 })
  const [ada, bo, admin] = [await shop.customer(), await shop.customer(), await shop.admin()]
  const { id } = await ask(shop, ada, instrument)
  for (const [field, wrong] of [
    ['validUntil', { validUntil: Date.now() - 1 }],
    ['validUntil', { validUntil: Date.now() + 367 * day }],
    ['orderQuantity', { orderQuantity: 1 }],
    ['price', { price: 99_999_999, orderQuantity: 2 }],
    ['price', { price: 1, orderQuantity: 2 }],
  ] as const)
    expect(await errorOf(offerPrice(shop.deps, admin, id, offer(wrong)))).toHaveProperty(`fields.${field}`)
  await expect(offerPrice(shop.deps, admin, 'none', offer())).rejects.toThrow('There is no such request.')
  const mine = offer({ reply: 'With cases.' })
  await Promise.all([1, 2].map(() => offerPrice(shop.deps, admin, id, mine)))
  await expect(offerPrice(shop.deps, admin, id, offer({ price: 80_00 }))).rejects.toThrow('has another answer')
  const [email, ...others] = await inbox(shop, ada.email)
  expect([email!.subject, others]).toEqual(['Our offer: 20 × Oboe', []])
  const texts = ['With cases.', 'Only 19 of the 20 pieces are available now.', 'Unit price: $90.00', 'Total: $1,800.00']
  for (const text of [...texts, `/dashboard/quotes/${id}`]) expect(email!.text).toContain(text)
  expect([await findQuote(shop.deps, bo, id), await findQuote(shop.deps, admin, id)]).toEqual([null, null])
  expect((await listAllQuotes(shop.deps, { limit: 5, isAnswered: false })).quotes).toEqual([])
  expect((await listAllQuotes(shop.deps, { limit: 5, isAnswered: true })).quotes).toMatchObject([{ id }])
})

test('offers a price until a year from now, and for no less than the minimum order', async ({ shop }) => {
  const instrument = await shop.sells({ minimum: 5 })
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const now = Date.now()
  for (const [terms, refused] of [
    [{ validUntil: now }, { validUntil: ['Valid until must be today or later'] }],
    [{ validUntil: now + 1 }, null],
    [{ validUntil: now + 366 * day }, null],
    [{ validUntil: now + 366 * day + 1 }, { validUntil: ['Valid until must be within a year'] }],
    [{ orderQuantity: 4 }, { orderQuantity: ['cannot be less than minimum order'] }],
    [{ orderQuantity: 5 }, null],
    [{ price: 9, orderQuantity: 5 }, { price: [payableError(45)] }],
    [{ price: 10, orderQuantity: 5 }, null],
  ] as const) {
    const { id } = await ask(shop, ada, instrument)
    const wanted = offer(terms)
    const offering = offerPrice(at(shop, now), admin, id, wanted)
    if (refused) await expect(offering).rejects.toMatchObject({ code: 'invalid', fields: refused })
    else await offering
    const { quote } = (await findQuote(shop.deps, null, id))!
    const { orderQuantity: quantity, price: unitPriceCents, validUntil } = wanted
    expect(quote).toMatchObject(
      refused ? { state: 'asked', quantity: null } : { state: 'offered', quantity, unitPriceCents, validUntil },
    )
  }
})

test('takes the same offer again, and none with other terms', async ({ shop }) => {
  const [instrument, ada, admin] = [await shop.sells(), await shop.customer(), await shop.admin()]
  const { id } = await ask(shop, ada, instrument)
  const terms = offer({ reply: 'With cases.' })
  for (let time = 0; time < 2; time++) await offerPrice(shop.deps, admin, id, terms)
  for (const other of [{ price: 91_00 }, { orderQuantity: 21 }, { validUntil: terms.validUntil + 1 }, { reply: null }])
    await expect(offerPrice(shop.deps, admin, id, { ...terms, ...other })).rejects.toMatchObject({
      code: 'conflict',
      message: 'This request has another answer by now. Reload this page to see it.',
    })
  await expect(declineQuote(shop.deps, admin, 'none', { reason: 'No' })).rejects.toMatchObject({ code: 'not-found' })
})

test('lists requests page by page: a customer’s newest first, those that wait oldest first, answered ones newest first', async ({
  shop,
}) => {
  const [instrument, ada, bea, admin] = [
    await shop.sells(),
    await shop.customer(),
    await shop.customer(),
    await shop.admin(),
  ]
  const ids: string[] = []
  for (const [customer, when] of [
    [ada, 1],
    [bea, 2],
    [ada, 3],
    [ada, 4],
    [ada, 5],
  ] as const) {
    const form = { submissionId: newId(), instrumentId: instrument, orderQuantity: 20 }
    ids.push((await askForPrice(at(shop, when), customer, form)).id)
  }
  const [a, b, c, d, e] = ids
  const idsOf = ({ quotes, next }: Awaited<ReturnType<typeof listQuotes>>) => [...quotes.map(({ id }) => id), next]
  expect(idsOf(await listQuotes(shop.deps, ada, { limit: 3 }))).toEqual([e, d, c, c])
  expect(idsOf(await listQuotes(shop.deps, ada, { limit: 3, before: c }))).toEqual([a, null])
  for (const id of [a, c, e]) await declineQuote(shop.deps, admin, id!, { reason: 'No' })
  const waiting = { isAnswered: false, limit: 1 }
  expect(idsOf(await listAllQuotes(shop.deps, waiting))).toEqual([b, b])
  expect(idsOf(await listAllQuotes(shop.deps, { ...waiting, after: b }))).toEqual([d, null])
  const answered = { isAnswered: true, limit: 2 }
  expect(idsOf(await listAllQuotes(shop.deps, answered))).toEqual([e, c, c])
  expect(idsOf(await listAllQuotes(shop.deps, { ...answered, after: c }))).toEqual([a, null])
})

test('declines a request, or withdraws an offer, with words', async ({ shop }) => {
  const instrument = await shop.sells({ name: 'Oboe' })
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const [asked, offered] = [await ask(shop, ada, instrument), await ask(shop, ada, instrument)]
  await offerPrice(shop.deps, admin, offered.id, offer({ orderQuantity: 7 }))
  for (const { id } of [asked, offered, asked]) await declineQuote(shop.deps, admin, id, { reason: 'Too many.' })
  await expect(declineQuote(shop.deps, admin, asked.id, { reason: 'Other words' })).rejects.toThrow('another answer')
  await expect(offerPrice(shop.deps, admin, asked.id, offer())).rejects.toThrow('another answer')
  const sent = await inbox(shop, ada.email)
  // The offer was withdrawn before its email left.
  expect(sent.map(({ subject }) => subject)).toEqual(Array(2).fill('About your request: 20 × Oboe'))
  expect(sent[0]!.text).toContain('Too many.')
  expect(await shop.deps.db.select().from(emails)).toHaveLength(5)
})

test('the database refuses a change of the terms, and an answer of somebody else', async ({ shop }) => {
  const { db } = shop.deps
  const instrument = await shop.sells()
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const { id } = await ask(shop, ada, instrument)
  const set = (columns: Partial<typeof quotes.$inferInsert>) => db.update(quotes).set(columns).where(eq(quotes.id, id))
  const isRefused = async (promise: Promise<unknown>) => expect(isBrokenRule(await errorOf(promise))).toBe(true)
  await isRefused(offerPrice(shop.deps, ada, id, offer()))
  await isRefused(set({ state: 'offered', answeredBy: admin.id, answeredAt: 1 }).execute())
  await offerPrice(shop.deps, admin, id, offer())
  for (const columns of [
    { unitPriceCents: 1 },
    { quantity: 1 },
    { validUntil: 1 },
    { customerId: admin.id },
    { state: 'asked' as const },
  ])
    await isRefused(set(columns).execute())
  const [{ unitPriceCents } = { unitPriceCents: 0 }] = await db.select().from(quotes)
  expect(unitPriceCents).toBe(90_00)
})
