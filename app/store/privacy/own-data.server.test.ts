import { aPaidOrder, later } from '../../../tests/support/payments'
import { at, expect, noon, orderInput, parcel, test, type Customer, type Store } from '../../../tests/support/store'
import {
  accessTokens,
  apiKeys,
  auditLog,
  contactMessages,
  customerNotes,
  drafts,
  emails,
  emailTokens,
  identities,
  orderRefunds,
  orders,
  passkeys,
  passwords,
  recoveryCodes,
  refunds,
  reviews,
  secondFactors,
  sessions,
  users,
  wishes,
} from '../../db/schema'
import { shipOrder, writeStaffNote } from '../orders/manage-order.server'
import type { Order } from '../orders/orders'
import { acceptQuote } from '../ordering/accept-quote.server'
import { findOrder } from '../orders/orders.server'
import { placeOrder } from '../ordering/place-order.server'
import { refundOrder } from '../payments/order-refunds.server'
import { askForPrice, offerPrice } from '../quotes/quotes.server'
import { newId } from '../shared/ids.server'
import { hasPassword, readOwnData } from './own-data.server'

type Part = { account: object } | { orders: object[] } | { emails: object[] }

async function partsOf(shop: Store, user: { id: string }): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of readOwnData(shop.deps, user)) parts.push(part)
  return parts
}

/** A row in every table about a user, with secrets that nobody else may read. */
async function leaveTraces({ deps: { db } }: Store, { id, email, name }: Customer, violin: string) {
  const secret = `secret of ${id}`
  const times = { createdAt: 10, expiresAt: 20 }
  await db.batch([
    db.update(users).set({ image: '/me.png', address: '1 Bow Lane', phone: '07700 900123', createdAt: 1 }),
    db.insert(passwords).values({ userId: id, hash: secret, changedAt: 2 }),
    db.insert(secondFactors).values({ userId: id, secret, createdAt: 3, confirmedAt: 4 }),
    db.insert(recoveryCodes).values([1, 2].map((nth) => ({ userId: id, codeHash: `${secret}${nth}` }))),
    db.insert(passkeys).values({
      ...{ id: `key of ${id}`, userId: id, userHandle: secret, publicKey: secret, signCount: 0 },
      ...{ name: 'Phone', createdAt: 5, usedAt: 6 },
    }),
    db.insert(identities).values({ issuer: 'https://google.example', subject: id, userId: id, createdAt: 7 }),
    db.insert(sessions).values({ tokenHash: secret, userId: id, userAgent: 'Firefox', seenAt: 11, ...times }),
    db.insert(accessTokens).values({ tokenHash: secret, sessionHash: secret, createdAt: 12, expiresAt: 19 }),
    db.insert(emailTokens).values({ tokenHash: secret, userId: id, purpose: 'verify-email', usedAt: 13, ...times }),
    db.insert(reviews).values({
      ...{ id: newId(), userId: id, name, img: '/me.png', description: 'Warm.', createdAt: 14, instrumentId: violin },
      ...{ rating: 4, reply: 'Thanks', hiddenAt: 15, hiddenReason: 'Spam' },
    }),
    db.insert(contactMessages).values({
      ...{ id: newId(), name, email, message: 'Do you repair bows?', copy: 0, createdAt: 16, doneAt: 17 },
    }),
    db.insert(wishes).values({ id: newId(), userId: id, instrumentId: violin, createdAt: 18, emailedAt: 19 }),
    db.insert(drafts).values({ id: secret, userId: id, content: secret, expiresAt: 21 }),
    db.insert(apiKeys).values({
      ...{ id: newId(), secretHash: secret, userId: id, name: 'Warehouse', scopes: 'orders:read', usedAt: 22 },
      ...times,
    }),
    db.insert(customerNotes).values({ customerId: id, note: 'Plays late.', writtenBy: 'x', writtenAt: 23 }),
    db.insert(auditLog).values(
      [id, 'stripe', 'somebody'].map((actor, nth) => {
        return { at: 30 + nth, event: 'sessions ended' as const, actor, userId: id }
      }),
    ),
  ])
}

const byHand = 'rows that no command has written'

test('hands out all that the shop has about an account, without secrets and without anybody else', async ({ shop }) => {
  shop.skipInvariants(byHand)
  const [ada, bea, admin] = [await shop.customer(), await shop.customer({ name: 'Bea' }), await shop.admin()]
  const violin = await shop.sells({ price: 10_00 })
  for (const user of [ada, bea]) await leaveTraces(shop, user, violin)
  const ask = { instrumentId: violin, orderQuantity: 5, note: 'By May?', submissionId: newId() }
  const quote = await askForPrice(at(shop, noon), ada, ask)
  const [{ account }] = (await partsOf(shop, ada)) as [{ account: object }]
  const asked = { product: 'Concert Violin', wantedQuantity: 5, note: 'By May?', createdAt: noon }
  const open = { state: 'asked', quantity: null, unitPriceCents: null, validUntil: null, reply: null, answeredAt: null }
  expect(account).toEqual({
    profile: {
      ...{ id: ada.id, name: 'Ada', email: ada.email, role: 'customer', image: '/me.png', address: '1 Bow Lane' },
      ...{ phone: '07700 900123', createdAt: 1, emailVerifiedAt: 1, reviewEmailAfter: 0 },
    },
    signIn: {
      password: { changedAt: 2 },
      secondFactor: { createdAt: 3, confirmedAt: 4, recoveryCodes: 2 },
      passkeys: [{ name: 'Phone', createdAt: 5, usedAt: 6 }],
      google: [{ issuer: 'https://google.example', subject: ada.id, createdAt: 7 }],
      sessions: [{ browser: 'Firefox', createdAt: 10, seenAt: 11, expiresAt: 20 }],
      accessTokens: [{ createdAt: 12, expiresAt: 19 }],
      apiKeys: [{ name: 'Warehouse', scopes: 'orders:read', createdAt: 10, usedAt: 22, expiresAt: 20 }],
    },
    linksSentByEmail: [{ purpose: 'verify-email', createdAt: 10, expiresAt: 20, usedAt: 13 }],
    accountEvents: ['you', 'Stripe', 'the shop'].map((by, nth) => ({ at: 30 + nth, event: 'sessions ended', by })),
    reviews: [
      {
        ...{ name: 'Ada', description: 'Warm.', createdAt: 14, instrument: 'Concert Violin', stars: 4 },
        ...{ hiddenAt: 15, hiddenReason: 'Spam', reply: 'Thanks' },
      },
    ],
    messages: [{ name: 'Ada', message: 'Do you repair bows?', createdAt: 16, doneAt: 17 }],
    notesOfTheShop: [{ note: 'Plays late.', writtenAt: 23 }],
    formsThatWaitForALogin: [{ expiresAt: 21 }],
    backInStockEmails: [{ product: 'Concert Violin', createdAt: 18, emailedAt: 19 }],
    quotes: [{ ...asked, ...open, order: null }],
  })

  await offerPrice(at(shop, noon), admin, quote.id, { price: 9_00, orderQuantity: 5, validUntil: noon + 1 })
  await acceptQuote(at(shop, noon), ada, quote.id, parcel)
  const [order] = await shop.ordersOf(ada)
  const parts = await partsOf(shop, ada)
  expect(parts[0]).toMatchObject({
    account: { quotes: [{ ...asked, state: 'offered', unitPriceCents: 9_00, order: `C-${order!.number}` }] },
  })
  expect(JSON.stringify(parts)).not.toMatch(new RegExp(`secret|${bea.id}|${admin.id}|${admin.name}`))
})

test('hands out an order with its events in their order, its papers and its refunds, and no note of a colleague', async ({
  shop,
}) => {
  shop.skipInvariants(byHand)
  const [{ customer, violin, id }, admin] = [await aPaidOrder(shop), await shop.admin()]
  await writeStaffNote(shop.deps, admin, id, 'Rude on the phone')
  await shipOrder(shop.deps, admin, id)
  await refundOrder(shop.deps, admin, id, { amount: 1_00, reason: 'Dent', restock: 0, submissionId: newId() })
  const times = { createdAt: 1, madeAt: 2, failedAt: 3 }
  const second = { transactionId: 'pi_2', orderId: id, amountCents: 5_00, refundId: 're_2', ...times }
  await shop.deps.db.insert(refunds).values(second)
  const unpaid = await placeOrder(later(shop, 1), customer, orderInput(violin, 1))

  const [, part] = await partsOf(shop, customer)
  const { customerId: _, ...order } = (await findOrder(shop.deps, customer, id))!
  const time = expect.any(Number) as number
  const events = [
    ...[
      ['order placed', 'you'],
      ['order paid', 'Stripe'],
      ['order shipped', 'the shop'],
    ],
    ...[
      ['refund owed', 'the shop'],
      ['refund made', 'the shop'],
    ],
  ]
  const [made] = await shop.deps.db.select().from(orderRefunds)
  const { refundId, createdAt, madeAt } = made!
  expect(part).toEqual({
    orders: [
      {
        ...order,
        events: events.map(([event, by]) => ({ at: time, event, by })),
        invoices: [{ number: 'INV-1-1', issuedAt: time, buyerName: 'Ada', buyerAddress: parcel.customerAddress }],
        creditNotes: [{ number: 'CN-1-1', isReversal: false, amountCents: 1_00, issuedAt: time }],
        refunds: [
          { refundId, amountCents: 1_00, reason: 'Dent', createdAt, madeAt, failedAt: null },
          { refundId: 're_2', amountCents: 5_00, ...times },
        ],
      },
      expect.objectContaining({
        ...{ id: unpaid.id, state: 'unpaid', events: [{ at: time, event: 'order placed', by: 'you' }] },
        ...{ invoices: [], creditNotes: [], refunds: [] },
      }),
    ],
  })
})

test('hands out the oldest orders first, 200 at a time', async ({ shop }) => {
  shop.skipInvariants(byHand)
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const violin = await shop.sells({ price: 10_00, stock: 1000 })
  await placeOrder(at(shop, noon), bea, orderInput(violin, 1))
  const [row] = await shop.ordersOf(bea)
  // Two of each moment.
  const rows = Array.from({ length: 201 }, (_, nth) => {
    const own = { id: newId(), submissionId: newId(), customerId: ada.id, number: row!.number + 1 + nth }
    return { ...row!, ...own, createdAt: noon - Math.floor(nth / 2) }
  })
  await shop.deps.db.insert(orders).values(rows)
  const parts = (await partsOf(shop, ada)).flatMap((part) => ('orders' in part ? [part.orders as Order[]] : []))
  expect(parts.map((part) => part.length)).toEqual([200, 1])
  const sorted = rows.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  expect(parts.flat().map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
})

test('hands out the emails to the address since its registration, but those about orders of an earlier account', async ({
  shop,
}) => {
  shop.skipInvariants(byHand)
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const violin = await shop.sells({ price: 10_00 })
  await shop.deps.db.update(users).set({ emailVerifiedAt: noon })
  for (const customer of [ada, bea]) await placeOrder(at(shop, noon), customer, orderInput(violin, 1))
  await shop.readLog()
  const { db } = shop.deps
  await db.update(users).set({ createdAt: noon })
  await db.update(emails).set({ recipient: ada.email })
  const texts = { text: 'x', html: 'x', dueAt: 1, kind: 'account' as const }
  const hello = Array.from({ length: 200 }, (_, nth) => ({ subject: `Hello ${nth}`, createdAt: noon, sentAt: nth }))
  await db
    .insert(emails)
    .values([
      { id: 'early', recipient: ada.email, subject: 'Early', createdAt: noon - 1, ...texts },
      { id: 'other', recipient: bea.email, subject: 'Other', createdAt: noon, ...texts },
      ...hello.map((email, nth) => ({ id: `${nth}`, recipient: ada.email, ...texts, ...email })),
    ])
  const parts = (await partsOf(shop, ada)).flatMap((part) => ('emails' in part ? [part.emails] : []))
  expect(parts).toEqual([
    [{ subject: 'order placed', createdAt: noon, sentAt: null }, ...hello.slice(0, 199)],
    hello.slice(199),
  ])
})

test('an account without a verified address gets no list of the emails to it', async ({ shop }) => {
  const ada = await shop.customer({ verified: false })
  expect((await partsOf(shop, ada)).map((part) => Object.keys(part))).toEqual([['account'], ['orders']])
})

test('knows whether an account has a password', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ password: 'a long enough secret' }), await shop.customer()]
  expect([await hasPassword(shop.deps, ada), await hasPassword(shop.deps, bea)]).toEqual([true, false])
})
