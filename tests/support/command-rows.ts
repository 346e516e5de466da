import { desc, eq, sql } from 'drizzle-orm'
import {
  auditLog,
  contactMessages,
  customerNotes,
  emails,
  passkeys,
  sessions,
  settingsVersions,
  webhookDeliveries,
  webhookEndpoints,
} from '../../app/db/schema'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
} from '../../app/store/accounts/second-factor/second-factor.server'
import { prepareSession } from '../../app/store/accounts/sign-in.server'
import { grantAdmin } from '../../app/store/accounts/users.server'
import { setHidden } from '../../app/store/catalog/manage-instruments.server'
import { addWish } from '../../app/store/catalog/wishes.server'
import { createDiscount, NewDiscount } from '../../app/store/discounts/manage-discounts.server'
import { createApiKey } from '../../app/store/integrations/api-keys.server'
import { newId } from '../../app/store/shared/ids.server'
import { addWebhookEndpoint } from '../../app/store/integrations/webhooks.server'
import { addPage } from '../../app/store/pages/manage-pages.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { askForPrice, offerPrice } from '../../app/store/quotes/quotes.server'
import { moderateReview } from '../../app/store/reviews/moderate-reviews.server'
import { settingNames } from '../../app/store/settings/settings'
import { defaultEmailWords } from '../../app/store/email/words.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { later } from './payments'
import { orderInput, parcel, type Customer, type Store } from './store'
import { appCode } from './totp'

export const password = 'correct horse'

/** Emails and webhooks, sent or not. */
export const outboxSize = async ({ deps: { db } }: Store) =>
  (await db.$count(emails)) + (await db.$count(webhookDeliveries))

/** A command of a page for signed-in users. */
export interface CommandRow {
  page: string
  who: 'user' | 'admin'
  /** A packer may do it too. */
  packer?: true
  /** Who has what the command is about. */
  by?: Customer
  /** Of the path. */
  id?: string
  fields?: Record<string, string>
  asks?: 'recent login' | 'password' | 'password and code'
  code?: () => string
  /** In the log of security events. */
  logs?: string
  /** In the audit log. */
  records?: string
  /** Why nothing changes. */
  idle?: string
  /** It leads to its result, and not to the page of the list from which it was sent. */
  leadsOn?: true
}

export async function person(shop: Store): Promise<Customer> {
  return shop.user({ password })
}

export async function signIn(shop: Store, user: Customer, minutesAgo: number): Promise<string> {
  const { session, insert } = await prepareSession(later(shop, -minutesAgo), user, '')
  await insert
  return session.secret
}

/** The id of a new endpoint, where nobody answers. */
async function webhookOf({ deps }: Store, state: 'new' | 'on' = 'new'): Promise<string> {
  const input = { url: 'http://127.0.0.1:9/', events: ['order.paid' as const], submissionId: newId() }
  const { id } = await addWebhookEndpoint(deps, { id: 'test' }, input)
  await deps.db.update(webhookEndpoints).set({ state }).where(eq(webhookEndpoints.id, id))
  return id
}

/** The number of a delivery that has arrived. */
async function deliveryOf(shop: Store): Promise<string> {
  const delivery = { id: newId(), type: 'order.paid', subject: 'order:1', payload: '{}', createdAt: 1 }
  const endpointId = await webhookOf(shop, 'on')
  const [row] = await shop.deps.db
    .insert(webhookDeliveries)
    .values({ ...delivery, endpointId, state: 'delivered', dueAt: 1 })
    .returning({ sequence: webhookDeliveries.sequence })
  return String(row!.sequence)
}

/** The id of a new API key. */
async function keyOf({ deps }: Store, admin: Customer): Promise<string> {
  const { key } = await createApiKey(deps, admin, {
    name: 'x',
    scopes: ['orders:read'],
    days: 30,
    submissionId: newId(),
  })
  return key.slice('cdk_'.length, 'cdk_'.length + 16)
}

/** A code that counts. */
async function codeOf({ deps }: Store, admin: Customer): Promise<string> {
  const input = NewDiscount.parse({ act: 'make', code: 'SUMMER', percent: 10 })
  return createDiscount(deps, { id: admin.id, role: 'admin' }, input)
}

export async function newestRecord({ deps }: Store): Promise<string> {
  const [newest] = await deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return newest ? `${newest.event} by ${newest.actor}` : ''
}

/** Every command of every action that needs a login, each with something of its own to change. */
export async function commandRows(shop: Store, admin: Customer, ada: Customer): Promise<CommandRow[]> {
  const { deps } = shop
  const sold = await shop.sells({ stock: 1000, price: 100_00 })
  const [gone, toHide, hidden, counted, toHideToo, hiddenToo] = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => shop.sells()),
  )
  await setHidden(deps, admin, hidden!, true)
  await setHidden(deps, admin, hiddenToo!, true)
  const empty = await shop.sells({ stock: 0 })
  const wished = await shop.sells({ stock: 0 })
  await addWish(deps, ada, wished)
  const order = async (state?: 'paid' | 'shipped') => {
    const { id } = await placeOrder(deps, await person(shop), orderInput(sold))
    await become(id, state)
    return id
  }
  const become = async (id: string, state?: 'paid' | 'shipped') => {
    if (!state) return
    const paid = sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = ${`pi_${id}`}, moved_by = 'test' WHERE id = ${id}`
    await deps.db.run(paid)
    if (state === 'shipped')
      await deps.db.run(sql`UPDATE orders SET state = 'shipped', shipped_at = 2 WHERE id = ${id}`)
  }
  const own = async () => (await placeOrder(deps, ada, orderInput(sold))).id
  const ownPaid = async () => {
    const id = await own()
    await become(id, 'paid')
    return id
  }
  const quote = async () =>
    (await askForPrice(deps, ada, { submissionId: newId(), instrumentId: sold, orderQuantity: 3 })).id
  const offered = await quote()
  const validUntil = deps.now() + 86_400_000
  await offerPrice(deps, admin, offered, { price: 90_00, orderQuantity: 3, validUntil })
  const review = async () => (await addReview(deps, ada, { description: newId() })).id
  const [toHideReview, hiddenReview, toAnswer] = [await review(), await review(), await review()]
  await moderateReview(deps, admin, { intent: 'hide', reviewId: hiddenReview, reason: 'Rude' })
  const message = { name: 'Zoe', email: 'zoe@example.com', message: 'Hello', copy: 0, createdAt: 1 }
  await deps.db.insert(contactMessages).values([
    { id: 'new', ...message },
    { id: 'done', ...message, doneAt: 2 },
    { id: 'asked', ...message },
  ])
  await deps.db.insert(customerNotes).values({ customerId: ada.id, note: 'x', writtenBy: admin.id, writtenAt: 1 })
  const [beginner, pending, secured, other] = await Promise.all([1, 2, 3, 4].map(() => person(shop)))
  const secretOf = async (user: Customer) => {
    await beginSecondFactor(deps, { user, password, from: { ip: '', device: null } })
    const { factor } = await readSecondFactor(deps, user)
    return (factor as { secret: string }).secret
  }
  const pendingSecret = await secretOf(pending!)
  const securedSecret = await secretOf(secured!)
  const code = appCode(securedSecret)
  const codes = await confirmSecondFactor(deps, secured!, { code, sessionSecret: await signIn(shop, secured!, 0) })
  const factor = { page: 'account/second-factor', who: 'user', by: secured! } as const
  const watched = await person(shop)
  const key = { id: 'p1', userId: watched.id, userHandle: 'h', publicKey: 'k', signCount: 0, name: 'x', createdAt: 1 }
  await deps.db.insert(passkeys).values(key)
  await signIn(shop, watched, 20)
  const [elsewhere] = await deps.db
    .select({ hash: sessions.tokenHash })
    .from(sessions)
    .where(eq(sessions.userId, watched.id))
  const unverified = await shop.user({ verified: false })
  const promoted = await person(shop)
  const helper = await person(shop)
  await grantAdmin(deps, 'test', promoted.email)
  const orderText = {
    customerAddress: parcel.customerAddress,
    customerPhone: parcel.customerPhone,
    ...{ company: 'Music Ltd', vatNumber: 'GB123456789', purchaseOrder: '7' },
  }
  const breaks = Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((n) => [
      [`breakFrom${n}`, ''],
      [`breakPrice${n}`, ''],
    ]),
  )
  const product = {
    ...{ name: 'Oboe', brand: 'Cadenza', img: '/plates/oboe.svg', description: 'Fine', price: '20', minQuantity: '1' },
    ...{ lowStock: '2', level: '', ages: '', salePrice: '', saleFrom: '', saleUntil: '', ...breaks },
  }
  const user = { who: 'user' } as const
  const pageText = { title: 'Terms', body: 'Be kind.', footer: '' }
  const { id: ownPage } = await addPage(deps, admin, {
    ...pageText,
    footer: '',
    slug: 'b',
    intent: 'save',
    submissionId: newId(),
  })
  const byAdmin = { who: 'admin' } as const
  const packer = { ...byAdmin, packer: true } as const
  const list = 'admin/manage-product'
  const orderPage = 'admin/manage-order'
  const shipment = { carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://dhl.example/1' }
  const settings = Object.fromEntries(settingNames.map((name) => [name, '']))
  const ownWords = JSON.stringify({ 'email:refund:subject': 'Own' })
  await deps.db.insert(settingsVersions).values({ version: 1, document: ownWords, savedAt: 1, savedBy: 'test' })
  const email = { ...byAdmin, page: 'admin/edit-email', id: 'refund' } as const
  const words = { ...defaultEmailWords('refund'), subject: 'Own', version: '1', seen: '1' }
  return [
    {
      ...{ ...byAdmin, page: 'admin/settings' },
      fields: { ...settings, name: 'Other', holdHours: '72', version: '0', seen: '0', removeLogo: 'on' },
    },
    { ...email, fields: { intent: 'preview', ...words }, idle: 'nothing is stored' },
    { ...email, fields: { intent: 'test', ...words } },
    { ...email, fields: { intent: 'default', version: '1', seen: '1' } },
    { ...email, fields: { intent: 'save', ...words, button: 'Other' } },
    {
      ...{ ...byAdmin, page: 'admin/discounts', records: 'discount code made', leadsOn: true as const },
      fields: {
        ...{ act: 'make', code: 'AUTUMN', percent: '10', amount: '', from: '2026-11-01', until: '2099-12-31' },
        ...{
          minTotal: '50',
          maxUses: '9',
          maxUsesPerCustomer: '1',
          families: 'brass',
          instruments: '',
          combines: 'on',
        },
      },
    },
    {
      ...{ ...byAdmin, page: 'admin/discounts', records: 'discount code made', leadsOn: true as const },
      fields: { act: 'make', code: 'WINTER', amount: '5' },
    },
    {
      ...{ ...byAdmin, page: 'admin/discounts', records: 'discount code ended' },
      fields: { act: 'end', code: await codeOf(shop, admin) },
    },
    {
      ...{ ...byAdmin, page: 'admin/families', records: 'family added' },
      fields: { intent: 'add', name: 'Drums', slug: 'drums', cases: 'on' },
    },
    {
      ...{ ...byAdmin, page: 'admin/families', records: 'family changed' },
      fields: { intent: 'move', slug: 'brass', place: '0' },
    },
    {
      ...{ ...byAdmin, page: 'admin/families', records: 'family changed' },
      fields: { intent: 'hide', slug: 'brass' },
    },
    {
      ...{ ...byAdmin, page: 'admin/families', records: 'family changed' },
      fields: { intent: 'show', slug: 'brass' },
    },
    {
      ...{ ...byAdmin, page: 'admin/edit-family', id: 'woodwind', records: 'family changed' },
      fields: { intent: 'save', name: 'Reeds', slug: 'reeds', cases: 'on', version: '1' },
    },
    {
      ...{ ...byAdmin, page: 'admin/edit-family', id: 'cases', records: 'family deleted' },
      fields: { intent: 'delete' },
    },
    { ...byAdmin, page: 'dashboard/index', fields: { firstSteps: 'aside' } },
    { ...byAdmin, page: 'dashboard/index', fields: { firstSteps: 'families' } },
    { ...user, page: 'dashboard/index', by: unverified },
    { ...user, page: 'account/add-review', fields: { description: 'Sings', submissionId: newId() } },
    {
      ...{ ...user, page: 'account/add-review' },
      fields: { description: 'Sings well', submissionId: newId(), instrumentId: sold, rating: '5' },
    },
    {
      ...user,
      page: 'account/my-profile',
      fields: { name: 'Ada', email: ada.email, address: 'x', phone: '07700 900123', image: '' },
    },
    { ...user, page: 'account/my-orders', fields: { orderId: await own() } },
    { ...user, page: 'account/my-order', id: await own() },
    { ...user, page: 'account/payment', id: await own() },
    { ...user, page: 'account/receipt', id: await ownPaid(), fields: { backTo: 'order' } },
    { ...user, page: 'account/quote', id: offered, fields: orderText },
    {
      ...{ ...user, page: 'account/ask-for-price' },
      fields: { submissionId: newId(), instrumentId: sold, orderQuantity: '2', note: 'Soon' },
    },
    { ...user, page: 'account/wishes', fields: { instrumentId: empty } },
    { ...user, page: 'account/wishes', fields: { instrumentId: wished, change: 'end' } },
    {
      ...{ ...user, page: 'instrument', id: sold },
      fields: {
        ...{ ...orderText, submissionId: newId(), orderQuantity: '1', orderingAs: ada.email },
        ...{ unitPrice: '10000', priceBreaks: '', replaceUnpaid: '', code: '' },
      },
    },
    { ...user, page: 'auth/verify-email', fields: { token: 'x' }, idle: 'a wrong token', logs: 'link refused' },
    { ...user, page: 'auth/confirm', asks: 'password', logs: 'signed in' },
    { ...user, page: 'account/my-data', fields: { act: 'download' }, asks: 'password', logs: 'signed in' },
    { ...user, page: 'account/my-data', fields: { act: 'close' }, asks: 'password', logs: 'signed in' },
    {
      ...{ ...user, page: 'account/close-account', by: other!, fields: { deleteReviews: 'on' } },
      ...{ asks: 'recent login', logs: 'account closed' },
    },
    {
      ...{ ...user, page: 'account/add-passkey', fields: { name: 'Phone', credential: '{}' } },
      ...{ asks: 'recent login', idle: 'no challenge before it' },
    },
    {
      ...{ ...user, page: 'account/sessions', by: watched, fields: { passkey: 'p1' } },
      ...{ asks: 'recent login', logs: 'passkey removed' },
    },
    {
      ...{ ...user, page: 'account/sessions', by: watched, fields: { session: elsewhere!.hash.slice(0, 16) } },
      asks: 'recent login',
    },
    { ...user, page: 'account/sessions', by: watched, asks: 'recent login' },
    { ...factor, by: beginner!, fields: { act: 'begin' }, asks: 'password' },
    {
      ...{ ...factor, by: pending!, fields: { act: 'confirm' }, code: () => appCode(pendingSecret) },
      ...{ logs: 'second factor on', records: 'second factor on' },
    },
    {
      ...{ ...factor, fields: { act: 'renew' }, asks: 'password and code', code: () => codes[0]! },
      ...{ logs: 'recovery codes renewed', records: 'recovery codes renewed' },
    },
    {
      ...{
        ...factor,
        fields: { act: 'remove' },
        asks: 'password and code',
        code: () => appCode(securedSecret, { steps: 1 }),
      },
      ...{ logs: 'second factor off', records: 'second factor off' },
    },

    { ...byAdmin, page: 'admin/add-product', fields: { ...product, availableQuantity: '1', submissionId: newId() } },
    {
      ...{ ...byAdmin, page: 'admin/edit-product', id: sold },
      fields: { ...product, stockChange: '1', stockNote: 'Found', version: '1' },
    },
    { ...byAdmin, page: 'admin/import-products', fields: { intent: 'apply', checked: 'x' }, idle: 'no such columns' },
    {
      ...byAdmin,
      page: 'admin/copy-pictures',
      fields: { after: '', copied: '0', failed: '[]' },
      idle: 'all pictures are here',
    },
    { ...byAdmin, page: list, fields: { command: 'delete', instrumentId: gone! }, records: 'instrument removed' },
    { ...byAdmin, page: list, fields: { command: 'hide', instrumentId: toHide! }, records: 'instrument hidden' },
    { ...byAdmin, page: list, fields: { command: 'show', instrumentId: hidden! }, records: 'instrument shown' },
    { ...byAdmin, page: list, fields: { command: 'hide-all', product: toHideToo! }, records: 'instrument hidden' },
    { ...byAdmin, page: list, fields: { command: 'show-all', product: hiddenToo! }, records: 'instrument shown' },
    {
      ...{ ...byAdmin, page: list, records: 'stock counted' },
      fields: {
        ...{ command: 'count', instrumentId: await shop.sells({ stock: 5 }), expected: '5' },
        ...{ availableQuantity: '7', submissionId: newId() },
      },
    },
    ...(['in', 'out'] as const).map((direction) => ({
      ...{ ...byAdmin, page: list, records: 'stock counted' },
      fields: {
        ...{ command: 'stock', instrumentId: counted!, direction },
        ...{ pieces: '2', reason: 'Count', submissionId: newId() },
      },
    })),
    {
      ...{ ...byAdmin, page: 'admin/refund-order', id: await order('paid') },
      fields: { submissionId: newId(), amount: '10', reason: 'Dent', restock: '0' },
    },
    {
      ...packer,
      page: orderPage,
      id: await order('paid'),
      fields: { command: 'ship', then: 'next', disputed: 'on', ...shipment },
    },
    { ...packer, page: orderPage, id: await order('shipped'), fields: { command: 'correct', ...shipment } },
    { ...packer, page: orderPage, id: await order(), fields: { command: 'note', note: 'Call first' } },
    {
      ...{ ...byAdmin, page: 'admin/change-several', records: 'stock counted' },
      fields: { product: `1 5 1000 ${await shop.sells({ stock: 5 })}`, submissionId: newId(), stock1: '7' },
    },
    { ...byAdmin, page: orderPage, id: await order(), fields: { command: 'cancel' } },
    { ...packer, page: 'admin/manage-orders', fields: { orderId: await order('paid') } },
    { ...packer, page: 'admin/manage-orders', fields: { order: await order('paid') } },
    { ...packer, page: 'admin/packing-slips', fields: { order: await order('paid'), carrier: 'Swift' } },
    {
      ...{ ...byAdmin, page: 'admin/answer-quote', id: await quote() },
      fields: {
        ...{ command: 'offer', price: '90', orderQuantity: '3', aboveStock: 'on' },
        ...{ validUntil: new Date(validUntil).toISOString().slice(0, 10), reply: 'Fine' },
      },
    },
    { ...byAdmin, page: 'admin/answer-quote', id: await quote(), fields: { command: 'decline', reason: 'Sold out' } },
    {
      ...{ ...byAdmin, page: 'admin/edit-page', id: 'new', records: 'page published' },
      fields: { ...pageText, slug: 'a', intent: 'publish', submissionId: newId() },
    },
    ...(['save', 'publish', 'withdraw'] as const).map((intent, index) => ({
      ...{ ...byAdmin, page: 'admin/edit-page', id: ownPage },
      fields: { ...pageText, slug: 'b', intent, version: String(index + 1) },
    })),
    { ...byAdmin, page: 'admin/edit-page', fields: { ...pageText, slug: 'c', intent: 'preview' }, idle: 'a preview' },
    { ...byAdmin, page: 'admin/edit-page', id: ownPage, fields: { intent: 'delete' }, records: 'page deleted' },
    ...['30', '90', '365'].map((days) => ({
      ...{ ...byAdmin, page: 'admin/api-keys', asks: 'recent login' as const },
      fields: {
        ...{ act: 'make', name: 'Warehouse', submissionId: newId(), days, readCatalogue: 'on', writeCatalogue: 'on' },
        ...{ readOrders: 'on', ship: 'on', refund: 'on', readCustomers: 'on' },
      },
      ...{ logs: 'API key made', records: 'api key made' },
    })),
    {
      ...{ ...byAdmin, page: 'admin/api-keys', fields: { act: 'revoke', keyId: await keyOf(shop, admin) } },
      ...{ logs: 'API key revoked', records: 'api key revoked' },
    },
    {
      ...{ ...byAdmin, page: 'admin/webhooks', asks: 'recent login' as const },
      fields: {
        ...{ act: 'register', url: 'http://127.0.0.1:9/', submissionId: newId(), orderPlaced: 'on', orderPaid: 'on' },
        ...{ orderShipped: 'on', orderRefunded: 'on', orderCancelled: 'on', stockLow: 'on', productChanged: 'on' },
        reviewWritten: 'on',
      },
      ...{ logs: 'webhook registered', records: 'webhook registered' },
    },
    {
      ...{ ...byAdmin, page: 'admin/webhooks', fields: { act: 'test', endpointId: await webhookOf(shop) } },
      idle: 'nobody answers there',
    },
    { ...byAdmin, page: 'admin/webhooks', fields: { act: 'again', sequence: await deliveryOf(shop) } },
    {
      ...{ ...byAdmin, page: 'admin/webhooks', fields: { act: 'off', endpointId: await webhookOf(shop, 'on') } },
      ...{ logs: 'webhook ended', records: 'webhook switched off' },
    },
    {
      ...{ ...byAdmin, page: 'admin/webhooks', fields: { act: 'delete', endpointId: await webhookOf(shop) } },
      ...{ logs: 'webhook ended', records: 'webhook deleted' },
    },
    // Each row begins with what a new shop has: an email of each, but none of orders.
    ...[
      { orderEmails: 'each', messageEmails: 'each', quoteEmails: 'each', stockEmails: 'each' },
      { orderEmails: 'daily', messageEmails: 'none', quoteEmails: 'each', stockEmails: 'none' },
      { orderEmails: 'none', messageEmails: 'each', quoteEmails: 'none', stockEmails: 'each' },
    ].map((fields) => ({
      ...{ ...byAdmin, page: 'admin/shop-emails', fields, records: 'shop emails changed' },
    })),
    {
      ...{ ...byAdmin, page: 'admin/messages', fields: { messageId: 'new', isDone: 'yes' } },
      records: 'message done',
    },
    { ...byAdmin, page: 'admin/messages', fields: { messageId: 'asked', isDone: 'reply', reply: 'We do.' } },
    {
      ...{ ...byAdmin, page: 'admin/messages', fields: { messageId: 'done', isDone: 'no' } },
      records: 'message open again',
    },
    {
      ...{ ...byAdmin, page: 'admin/moderate-reviews', records: 'review hidden' },
      fields: { intent: 'hide', reviewId: toHideReview, reason: 'Rude' },
    },
    {
      ...{ ...byAdmin, page: 'admin/moderate-reviews', records: 'review shown' },
      fields: { intent: 'show', reviewId: hiddenReview },
    },
    {
      ...{ ...byAdmin, page: 'admin/moderate-reviews', records: 'review answered' },
      fields: { intent: 'reply', reviewId: toAnswer, reply: 'Thank you' },
    },
    {
      ...{ ...byAdmin, page: 'admin/user', id: ada.id, records: 'sessions ended' },
      ...{ asks: 'recent login', logs: 'sessions ended' },
    },
    {
      ...{ ...byAdmin, page: 'admin/user', id: ada.id, records: 'customer note changed' },
      fields: { command: 'note', note: 'Prefers to be called', seen: '1' },
    },
    ...(['packer', 'bookkeeper', 'none'] as const).map((role) => ({
      ...{
        ...byAdmin,
        page: 'admin/user',
        id: helper.id,
        fields: { role },
        asks: 'recent login' as const,
        leadsOn: true as const,
      },
      ...(role === 'none'
        ? { logs: 'staff role revoked', records: 'staff role revoked' }
        : { logs: 'staff role granted', records: 'staff role granted' }),
    })),
    {
      ...{ ...byAdmin, page: 'admin/make-admin', fields: { act: 'make-admin', email: beginner!.email } },
      ...{ asks: 'recent login', logs: 'admin granted', records: 'admin granted' },
    },
    {
      ...{ ...byAdmin, page: 'admin/make-admin', fields: { act: 'revoke-admin', email: promoted.email } },
      ...{ asks: 'recent login', logs: 'admin revoked', records: 'admin revoked' },
    },
    { ...byAdmin, page: 'admin/make-admin', fields: { act: 'remove', email: ada.email }, idle: 'not offered yet' },
  ]
}
