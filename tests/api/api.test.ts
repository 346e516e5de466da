import { accessTokens, paymentAttempts, sessions } from '../../app/db/schema'
import { confirm } from '../support/card-form'
import { nobody, Program, programOf } from '../support/api-client'
import { expect, test, type Shop, parcel } from '../support/shop'

const idOf = ({ body }: { body: Record<string, unknown> }) => body.insertedId as string

async function unpaidOrder(shop: Shop, program: Program, quantity = 2, price = 250_00): Promise<string> {
  const instrumentId = await shop.sells({ price })
  return idOf(await program.call('POST', '/order', { instrumentId, orderQuantity: quantity, ...parcel }))
}

test('begins no payment for a token that is not valid, for another customer, and for another price', async ({
  shop,
}) => {
  const ada = await programOf(shop, await shop.customer())
  const orderId = await unpaidOrder(shop, ada)
  const intent = async (program: Program, orderPrice = 500) => {
    const { status } = await program.call('POST', '/create-payment-intent', { orderPrice, orderId })
    return [status, (await shop.deps.db.select().from(paymentAttempts)).length]
  }
  expect(await intent(nobody(shop))).toEqual([401, 0])
  for (const token of ['', 'x', `${ada.token}x`])
    expect(await intent(new Program(shop.visitor(), token))).toEqual([401, 0])
  expect(await intent(await programOf(shop, await shop.customer()))).toEqual([403, 0])
  expect(await intent(ada, 499)).toEqual([409, 0])
  const ends = [{ expiresAt: 1 }, { expiresAt: Date.now() + 60_000 }]
  await shop.deps.db.update(accessTokens).set(ends[0]!)
  expect(await intent(ada)).toEqual([401, 0])
  await shop.deps.db.update(accessTokens).set(ends[1]!)
  await shop.deps.db.update(sessions).set(ends[0]!)
  expect(await intent(ada)).toEqual([401, 0])
  await shop.deps.db.update(sessions).set(ends[1]!)
  expect(await intent(ada)).toEqual([200, 1])
})

test('answers 304 to who has an order or an instrument as it is, until it changes', async ({ shop }) => {
  const [ada, other] = [await programOf(shop, await shop.customer()), await programOf(shop, await shop.customer())]
  const instrumentId = await shop.sells({ price: 250_00, stock: 9 })
  const order = () => ada.call('POST', '/order', { instrumentId, orderQuantity: 1, ...parcel })
  const id = idOf(await order())
  const get = ({ token }: Program, path: string, tag: string | null) => {
    const headers = { accept: 'application/json', 'if-none-match': tag ?? '' }
    return shop.visitor().fetch(path, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } })
  }
  const pay = async () => {
    const { body } = await ada.call('POST', '/create-payment-intent', { orderPrice: 250, orderId: id })
    await confirm(shop, String(body.clientSecret))
    const transactionId = String(body.clientSecret).split('_secret')[0]
    await ada.call('PATCH', `/order/${id}`, { order: id, transactionId })
  }
  const cases = [
    [`/order/${id}`, ada, pay, 'private, no-store'],
    [`/instruments/${instrumentId}`, nobody(shop), order, 'public, no-cache'],
  ] as const
  for (const [path, program, change, cacheControl] of cases) {
    const tag = (await get(program, path, null)).headers.get('etag')
    const again = await get(program, path, tag)
    expect([path, again.status, again.headers.get('cache-control')]).toEqual([path, 304, cacheControl])
    if (program === ada) expect((await get(other, path, tag)).status).toBe(403)
    await change()
    const changed = await get(program, path, tag)
    expect([path, changed.status, changed.headers.get('etag') === tag]).toEqual([path, 200, false])
  }
})

test('adds an instrument without a description', async ({ shop }) => {
  const admin = await programOf(shop, await shop.admin())
  const input = { name: 'Oboe', img: '/plates/oboe.svg', price: 8, availableQuantity: 1, minQuantity: 1 }
  for (const description of [{}, { description: '' }, { description: ' ' }, { description: null }]) {
    const response = await admin.call('POST', '/instruments', { ...input, ...description })
    expect(response.status, JSON.stringify(description)).toBe(200)
    expect((await admin.call('GET', `/instruments/${idOf(response)}`)).body).toMatchObject({ description: '' })
  }
  const response = await admin.call<{ error: object }>('POST', '/instruments', { ...input, description: 1 })
  expect([response.status, response.body.error]).toMatchObject([
    422,
    { fields: { description: ['Description must be text'] } },
  ])
})

test('lists instruments to everybody, with the specified keys and prices in dollars', async ({ shop }) => {
  const admin = await programOf(shop, await shop.admin())
  const response = await admin.call('POST', '/instruments', {
    name: 'Oboe',
    img: '/plates/oboe.svg',
    description: 'Grenadilla',
    price: 8.2,
    availableQuantity: 12,
    minQuantity: 3,
  })
  expect(response).toMatchObject({
    status: 200,
    body: { acknowledged: true, insertedId: expect.any(String) as string },
  })
  const oboe = {
    _id: idOf(response),
    name: 'Oboe',
    img: '/plates/oboe.svg',
    description: 'Grenadilla',
    price: 8.2,
    availableQuantity: 12,
    minQuantity: 3,
  }
  expect((await nobody(shop).call('GET', '/instruments')).body).toEqual([oboe])
  expect((await nobody(shop).call('GET', `/instruments/${oboe._id}`)).body).toEqual(oboe)
  expect((await nobody(shop).call('GET', '/instruments/none')).status).toBe(404)
  expect((await admin.call('DELETE', `/instruments/${oboe._id}`)).body).toEqual({ acknowledged: true, deletedCount: 1 })
  expect((await admin.call('DELETE', `/instruments/${oboe._id}`)).status).toBe(404)
  expect((await nobody(shop).call('GET', '/instruments')).body).toEqual([])
})

test('places an order by product name, takes its stock and returns it as specified', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Concert Violin', price: 1_450_50, minimum: 2, stock: 10 })
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const response = await program.call('POST', '/order', {
    customerName: ada.name,
    customerEmail: ada.email,
    productName: 'Concert Violin',
    orderPrice: 4_351.5,
    orderQuantity: 3,
    ...parcel,
  })
  expect(response.status).toBe(200)
  const order = {
    _id: idOf(response),
    customerName: ada.name,
    customerEmail: ada.email,
    productName: 'Concert Violin',
    orderPrice: 4_351.5,
    orderQuantity: 3,
    paid: false,
    transactionId: null,
    ...parcel,
  }
  expect((await program.call('GET', `/order/${order._id}`)).body).toEqual(order)
  expect((await program.call('GET', `/order?customerEmail=${ada.email}`)).body).toEqual([order])
  expect(await shop.stockOf(violin)).toBe(7)
})

test('lists the orders of an email with a plus, whether the address encodes it or not', async ({ shop }) => {
  const email = 'ada+orders@example.com'
  const program = await programOf(shop, await shop.customer({ email }))
  const id = await unpaidOrder(shop, program)
  for (const written of [email, encodeURIComponent(email)]) {
    const { body } = await program.call('GET', `/order?customerEmail=${written}`)
    expect(body).toMatchObject([{ _id: id }])
  }
})

test('refuses server-owned fields that differ from the stored values', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Concert Violin', price: 100_00, minimum: 2, stock: 10 })
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const input = { instrumentId: violin, orderQuantity: 2, ...parcel }
  const refused = async (more: object) => {
    const { status, body } = await program.call<{ error: { fields?: object } }>('POST', '/order', {
      ...input,
      ...more,
    })
    return [status, Object.keys(body.error.fields ?? {})]
  }
  expect(await refused({ orderPrice: 199.99 })).toEqual([409, []])
  expect(await refused({ orderPrice: 100 })).toEqual([409, []])
  expect(await refused({ customerEmail: 'somebody@example.com' })).toEqual([422, ['customerEmail']])
  expect(await refused({ customerName: 'Somebody' })).toEqual([422, ['customerName']])
  expect(await refused({ productName: 'Another Violin' })).toEqual([409, []])
  expect(await refused({ instrumentId: 'none' })).toEqual([404, []])
  expect(await refused({ orderQuantity: 11 })).toEqual([422, ['orderQuantity']])
  expect(await refused({ orderQuantity: 1 })).toEqual([422, ['orderQuantity']])
  expect(await refused({ orderQuantity: '2' })).toEqual([422, ['orderQuantity']])
  expect(await refused({ paid: true, state: 'paid' })).toEqual([422, ['paid', 'state']])
  expect(await refused({ instrumentId: undefined })).toEqual([422, ['productName']])
  expect((await program.call('POST', '/order?quantity=2', input)).status).toBe(422)
  expect(await shop.ordersOf(ada)).toEqual([])
  expect(await shop.stockOf(violin)).toBe(10)
})

test('deletes an unpaid order by the customer’s email, with or without an order id', async ({ shop }) => {
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const remove = async (query = '') => {
    const { status, body } = await program.call('DELETE', `/order/${ada.email}${query}`)
    return [status, body.deletedCount]
  }
  expect(await remove()).toEqual([200, 0])
  const first = await unpaidOrder(shop, program)
  expect(await remove()).toEqual([200, 1])
  expect((await program.call('GET', `/order/${first}`)).status).toBe(404)
  const [second] = [await unpaidOrder(shop, program), await unpaidOrder(shop, program)]
  expect(await remove()).toEqual([409, undefined])
  expect(await remove(`?orderId=${second}`)).toEqual([200, 1])
  expect(await remove(`?orderId=${second}`)).toEqual([404, undefined])
  expect(await remove('?orderid=typo')).toEqual([422, undefined])
  expect((await shop.ordersOf(ada)).filter(({ state }) => state === 'unpaid')).toHaveLength(1)
})

test('does not delete a paid order', async ({ shop }) => {
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const id = await unpaidOrder(shop, program)
  const { body } = await program.call('POST', '/create-payment-intent', { orderPrice: 500, orderId: id })
  await confirm(shop, body.clientSecret as string)
  const transactionId = (body.clientSecret as string).split('_secret')[0]
  expect((await program.call('PATCH', `/order/${id}`, { order: id, transactionId })).body).toEqual({
    acknowledged: true,
    modifiedCount: 1,
  })
  expect((await program.call('DELETE', `/order/${ada.email}?orderId=${id}`)).status).toBe(409)
  expect((await program.call('GET', `/order/${id}`)).body).toMatchObject({ paid: true, transactionId })
})

test('updates the caller’s own profile and clears fields that are missing', async ({ shop }) => {
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const profile = {
    name: 'Ada L.',
    email: ada.email,
    image: 'https://example.com/ada.png',
    ...{ address: 'Bow', phone: '07700 900123' },
  }
  expect((await program.call('PUT', `/update/${ada.email}`, profile)).body).toEqual({
    acknowledged: true,
    modifiedCount: 1,
  })
  expect((await program.call('PUT', `/update/${ada.email}`, { ...profile, phone: '123' })).body).toMatchObject({
    error: { fields: { phone: ['Phone must be 11 digits'] } },
  })
  expect((await program.call('PUT', `/update/${ada.email}`, { ...profile, email: 'x@example.com' })).status).toBe(422)
  expect((await program.call('PUT', `/update/${ada.email}`, { ...profile, role: 'admin' })).status).toBe(422)
})

test('lets admins read users and orders and grant admin, and checks the role on every call', async ({ shop }) => {
  const [root, ada] = [await shop.admin(), await shop.customer()]
  const [admin, program] = [await programOf(shop, root), await programOf(shop, ada)]
  const id = await unpaidOrder(shop, program)
  expect((await admin.call('GET', '/user')).body).toEqual([
    { email: root.email, name: root.name, userType: 'admin', emailVerified: true },
    { email: ada.email, name: ada.name, userType: 'customer', emailVerified: true },
  ])
  expect((await admin.call('GET', '/order')).body).toMatchObject([{ _id: id }])
  expect((await admin.call('GET', `/order?customerEmail=${ada.email}`)).body).toMatchObject([{ _id: id }])
  expect((await program.call('PUT', `/user/admin/${ada.email}`)).body).toEqual({
    error: { code: 'forbidden', message: 'You cannot make an admin' },
  })
  expect((await program.call('GET', `/admin/${ada.email}`)).body).toEqual({ admin: false })
  expect((await admin.call('PUT', `/user/admin/${ada.email}`)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
  expect((await admin.call('PUT', `/user/admin/${ada.email}`)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
  expect((await admin.call('PUT', '/user/admin/nobody@example.com')).status).toBe(404)
  expect((await program.call('GET', '/user')).status).toBe(200)
  expect((await program.call('GET', `/admin/${root.email}`)).body).toEqual({ admin: true })
  expect((await admin.call('DELETE', `/user/admin/${ada.email}`)).body).toEqual({
    acknowledged: true,
    modifiedCount: 1,
  })
  expect((await admin.call('DELETE', `/user/admin/${ada.email}`)).body).toMatchObject({ modifiedCount: 0 })
  expect((await program.call('GET', '/user')).status).toBe(403)
  expect((await admin.call('DELETE', `/user/admin/${root.email}`)).body).toMatchObject({ error: { code: 'conflict' } })
})

test('shows browsers the 404 page on an API-only path', async ({ shop }) => {
  const browser = shop.visitor()
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  const paths = ['instruments', 'order', 'create-payment-intent', 'user', 'admin', 'update', 'webhooks/stripe']
  const below = [
    'order/1',
    'user/a@b.com',
    'user/admin/a@b.com',
    'admin/x',
    'update/x',
    'reviews/foo',
    'instruments/a/b',
  ]
  for (const path of [...paths, ...below, 'Admin/', '%61dmin'].map((each) => `/${each}`)) {
    const page = await browser.get(path, { accept })
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(page.page.querySelector('h1')?.textContent).toBe('Page not found')
    expect(page.page.querySelector('main img')?.getAttribute('src')).toBe('/art/not-found.svg')
    expect(page.headers.get('vary'), path).toContain('Accept')
    const head = await browser.fetch(path, { method: 'HEAD', headers: { accept } })
    expect([path, head.status]).toEqual([path, 404])
    const response = await browser.fetch(path, { headers: { accept: 'application/json' } })
    const type = path === '/webhooks/stripe' ? /^text\/plain/ : /^application\/json/
    expect(response.headers.get('content-type'), path).toMatch(type)
    expect(response.headers.get('vary'), path).toContain('Accept')
    await response.text()
  }
  expect((await browser.get('/openapi.json', { accept })).status).toBe(200)
})

test('answers wrong methods and unknown paths in JSON, with an Allow header', async ({ shop }) => {
  const program = await programOf(shop, await shop.admin())
  for (const [method, path, allow] of [
    ['DELETE', '/instruments', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/instruments/x', 'GET, DELETE, HEAD, OPTIONS'],
    ['POST', '/instruments/x', 'GET, DELETE, HEAD, OPTIONS'],
    ['GET', '/create-payment-intent', 'POST, OPTIONS'],
    ['POST', '/user', 'GET, HEAD, OPTIONS'],
    ['GET', '/user/a@example.com', 'PUT, OPTIONS'],
  ] as const) {
    const { status, headers, body } = await program.call(method, path)
    expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, allow])
    expect(body).toMatchObject({ error: { code: 'method-not-allowed' } })
  }
  for (const path of ['/order/a/b', '/user/admin/a/b', '/reviews/1', '/update', '/admin', '/create-payment-intent/1']) {
    const { status, body } = await program.call('GET', path)
    expect([path, status, body]).toMatchObject([path, 404, { error: { code: 'not-found' } }])
  }
  expect((await program.call('OPTIONS', '/order')).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
  const head = await program.call('HEAD', '/instruments')
  expect([head.status, head.body, head.headers.has('etag')]).toEqual([200, null, true])
})

test('refuses bodies that are not JSON, exceed 64 kB or repeat a field', async ({ shop }) => {
  const program = await programOf(shop, await shop.customer())
  const send = async (body: string, type = 'application/json') =>
    (await program.call('POST', '/reviews', body, { 'content-type': type })).status
  expect(await send('{"description":"Sings."}')).toBe(200)
  expect(await send('{"description":"Sings.","description":"Sinks."}')).toBe(422)
  expect(await send('{"description":"Sings.","\\u0064escription":"Sinks."}')).toBe(422)
  expect(await send('{"description":"a \\"b\\": {c}, [d"}')).toBe(200)
  expect(await send('{"description":"Sings."} x')).toBe(400)
  expect(await send('')).toBe(400)
  expect(await send('"Sings."')).toBe(422)
  expect(await send('[{"description":"Sings."}]')).toBe(422)
  expect(await send(`{"description":"${'x'.repeat(66_000)}"}`)).toBe(413)
  expect(await send('{"description":"Sings."}', 'text/plain')).toBe(415)
  expect(await send('{"description":"Sings."}', 'application/json;charset=utf-7')).toBe(415)
  expect(await send('{"description":"Sings."}', 'application/json; charset=utf-8')).toBe(200)
  expect(await send('{"__proto__":{"admin":true},"description":"Sings."}')).toBe(422)
})
