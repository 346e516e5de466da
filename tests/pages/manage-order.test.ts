import { sql } from 'drizzle-orm'
import { aPaidOrder, anOrder, refundAtStripe, refundsAtStripe } from '../support/payments'
import { expect, test } from '../support/shop'

test('refunds a part of an order without scripts, and says so everywhere', async ({ shop }) => {
  const { id, customer, transactionId, violin } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  const form = await admin.get(path)
  expect(form.page.querySelector('#amount')!.getAttribute('value')).toBe('500.00')
  const wrong = await admin.press(form, 'Refund', { amount: '500.01', reason: '', restock: '3' })
  expect([wrong.status, wrong.text.includes('Reason is Required')]).toEqual([422, true])
  const refused = await admin.press(wrong, 'Refund', { amount: '500.01', reason: 'Dent <in> the bell', restock: '3' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('At most $500.00 is left to refund')
  expect(refused.text).toContain('At most 2 can go back to stock')
  const done = await admin.press(refused, 'Refund', { amount: '$120.50', restock: '1' })
  expect([done.status, done.path]).toEqual([200, path])
  expect(done.text).toContain('Refunded $120.50.')
  expect(done.page.querySelector('#amount')!.getAttribute('value')).toBe('379.50')
  expect(done.page.querySelector('table')!.textContent).toContain('Dent <in> the bell')
  expect(await refundsAtStripe(shop, transactionId)).toMatchObject([{ amount: 120_50 }])
  expect(await shop.stockOf(violin)).toBe(9)

  const [email] = await shop.emailsTo(customer.email)
  expect(email!.subject).toBe('Refund: $120.50 for C-1001')
  const ada = await shop.signedIn(customer as never)
  expect((await ada.get('/dashboard/myOrders')).text).toContain('Refund: $120.50')
  expect((await ada.get(`/dashboard/myOrders/receipt/${id}`)).text).toContain('$120.50')
  expect((await admin.get('/dashboard/manageOrders')).text).toContain('Refund: $120.50')
  const json = await ada.fetch(`/order/${id}`, { headers: { accept: 'application/json' } })
  expect(await json.json()).toMatchObject({ paid: true, transactionId, orderPrice: 500, refunded: 120.5 })

  await admin.press(await admin.get(path), 'Refund', { reason: 'The rest' })
  const row = (await admin.get('/dashboard/manageOrders')).page.querySelector('main tbody tr')!.textContent
  expect([row.includes('Refunded'), row.includes('Ship Now')]).toEqual([true, false])
  expect((await ada.get('/dashboard/myOrders')).text).toContain('Refunded')
  const receipt = await ada.get(`/dashboard/myOrders/receipt/${id}`)
  expect(receipt.text).toContain('Paid by card, and refunded in full.')
  const check = await ada.get(
    new URL(receipt.page.querySelector('a[href*="/verify/"]')!.getAttribute('href')!).pathname,
  )
  expect(check.text).toContain('Paid; refunded in full')
})

test('stores a refund while Stripe is unavailable, and says so until the cron trigger makes it', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  await shop.faults({ stripe: { failNext: 50, status: 503 } })
  const owed = await admin.press(await admin.get(path), 'Refund', { amount: '500', reason: 'Lost' })
  expect([owed.status, owed.path]).toEqual([200, path])
  expect(owed.text).toContain('The refund of $500.00 is stored.')
  expect(owed.text).toContain('Owed: refunded when Stripe responds')
  expect(owed.page.querySelector('#amount')).toBeNull()
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await shop.cron()
  expect((await admin.get(path)).text).not.toContain('Owed')
  expect(await refundsAtStripe(shop, transactionId)).toMatchObject([{ amount: 500_00 }])
})

test('shows a refund that was made at Stripe after the next run of the cron trigger', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  await refundAtStripe(shop, transactionId, 30_00)
  await shop.cron()
  const admin = await shop.visitor().signIn(await shop.admin())
  const page = await admin.get(`/dashboard/manageOrders/${id}`)
  expect(page.text).toContain('Made at Stripe')
  expect(page.page.querySelector('#amount')!.getAttribute('value')).toBe('470.00')
})

test('ships an order with a tracking link without scripts, corrects it, and shows it to the customer', async ({
  shop,
}) => {
  const { id, customer } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const page = await admin.get(`/dashboard/manageOrders/${id}`)
  const wrong = await admin.press(page, 'Ship Now', { carrier: 'UPS', trackingUrl: 'http://ups.example' })
  expect([wrong.status, wrong.text.includes('Tracking link must be an https address')]).toEqual([422, true])
  expect(wrong.page.querySelectorAll('.form-error')).toHaveLength(1)
  const shipped = await admin.press(wrong, 'Ship Now', { trackingUrl: 'https://ups.example/1' })
  expect(shipped.text).toContain('Order marked as shipped.')
  await admin.press(shipped, 'Save shipment', { carrier: '=UPS', trackingNumber: '1Z' })
  const ada = await shop.signedIn(customer as never)
  const orders = await ada.get('/dashboard/myOrders')
  expect(orders.text).toContain('=UPS 1Z')
  const receipt = await ada.get(`/dashboard/myOrders/receipt/${id}`)
  for (const { page } of [orders, receipt]) expect(page.querySelector('a[href="https://ups.example/1"]')).not.toBeNull()
  const csv = await (await admin.fetch('/dashboard/manageOrders.csv')).text()
  expect(csv).toContain(`"'=UPS","1Z"`)
})

test('ships one order after the other, the oldest first, with the same carrier, and none that was refunded', async ({
  shop,
}) => {
  const refunded = await aPaidOrder(shop)
  const paid = [await aPaidOrder(shop), await aPaidOrder(shop), await aPaidOrder(shop)]
  await anOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const toRefund = await admin.get(`/dashboard/manageOrders/${refunded.id}`)
  await admin.press(toRefund, 'Refund', { amount: '500', reason: 'Lost', restock: '0' })
  expect((await admin.get('/dashboard')).text).toContain('To ship 3')
  let page = await admin.get(`/dashboard/manageOrders/${paid[1]!.id}`)
  const visited: string[] = []
  for (const trackingNumber of ['2', '3', '1']) {
    page = await admin.press(page, 'Ship and open the next', {
      ...(trackingNumber === '2' && { carrier: 'Swift & Sons' }),
      trackingNumber,
    })
    visited.push(page.path)
  }
  const next = ({ id }: { id: string }) => `/dashboard/manageOrders/${id}?carrier=Swift+%26+Sons`
  expect(visited).toEqual([next(paid[2]!), next(paid[0]!), '/dashboard/manageOrders?status=paid'])
  expect(page.text).toContain('It was the last one to ship.')
  expect(page.text).toContain('Nothing to ship')
  expect((await admin.get('/dashboard')).text).toContain('To ship 0')
  for (const [index, { customer }] of paid.entries()) {
    const shipment = { state: 'shipped', carrier: 'Swift & Sons', trackingNumber: String(index + 1) }
    expect(await shop.ordersOf(customer)).toMatchObject([shipment])
  }
})

test('cancels an unpaid order, and keeps a note that customers do not see', async ({ shop }) => {
  const { id, violin, customer } = await anOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  const noted = await admin.press(await admin.get(path), 'Save note', { note: 'Call <first>' })
  expect(noted.page.querySelector('textarea')!.textContent).toContain('Call <first>')
  const ada = await shop.signedIn(customer as never)
  expect((await ada.get('/dashboard/myOrders')).text).not.toContain('Call')
  const cancelled = await admin.press(noted, 'Cancel order')
  expect(cancelled.text).toContain('Order Cancelled!')
  expect(cancelled.text).toContain('Cancelled; 2 pieces back in stock')
  expect(cancelled.text).toContain('Note for colleagues: Call <first>')
  expect(await shop.stockOf(violin)).toBe(10)
  expect((await shop.emailsTo(customer.email))[0]!.text).toContain('We have cancelled your order.')
  expect((await admin.post(path, { command: 'cancel' })).status).toBe(404)
  expect((await admin.post(path, { command: 'delete' })).status).toBe(422)
})

test('prints a packing slip without prices, of the pieces that are left to ship', async ({ shop }) => {
  const { id } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const page = await admin.get(`/dashboard/manageOrders/${id}`)
  await admin.press(page, 'Refund', { amount: '250', reason: 'One is enough', restock: '1' })
  const slip = await admin.get(`/dashboard/manageOrders/${id}/packingSlip`)
  expect(slip.page.querySelector('main dl')!.textContent).toMatch(/OrderC-1001.*1 Bow Lane.*Pieces1$/s)
  expect(slip.page.querySelector('main article')!.textContent).not.toContain('$')
})

test('ships the selected orders with one press, and says of each what happened', async ({ shop }) => {
  const [first, second, unpaid] = [await aPaidOrder(shop), await aPaidOrder(shop), await anOrder(shop)]
  const admin = await shop.visitor().signIn(await shop.admin())
  const page = await admin.get('/dashboard/manageOrders')
  const boxes = page.page.querySelectorAll('input[type=checkbox][form=ship-selected]')
  expect(boxes.map((box) => box.getAttribute('value')).sort()).toEqual([first.id, second.id].sort())
  expect((await admin.post('/dashboard/manageOrders', {})).status).toBe(422)
  const after = await admin.post('/dashboard/manageOrders?status=paid', {
    ship0: first.id,
    ship1: second.id,
    ship2: unpaid.id,
  })
  expect([after.status, after.path]).toEqual([200, '/dashboard/manageOrders?status=paid'])
  const said = after.page.querySelectorAll('main .notice li').map((item) => item.textContent)
  expect(said.sort()).toEqual([
    'C-1001: marked as shipped.',
    'C-1002: marked as shipped.',
    'C-1003: not shipped. Only a paid order can be shipped, and only once.',
  ])
  expect(after.page.querySelectorAll('main tbody tr')).toHaveLength(0)
})

test('keeps search, status and days in every link of the list', async ({ shop }) => {
  shop.skipInvariants('orders that nobody placed')
  const { violin, customer } = await anOrder(shop, { stock: 200 })
  await shop.deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 120)
    INSERT INTO orders (id, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT 'o' || n, ${customer.id}, ${violin}, n, 'Violin', 25000, 1, 25000, '=Ada', ${customer.email}, '1 Bow Lane', '+4479', n, 'test' FROM many`)
  const admin = await shop.visitor().signIn(await shop.admin())
  const query = 'q=viol&status=unpaid&from=1970-01-01&to=1970-01-02'
  const first = await admin.get(`/dashboard/manageOrders?${query}`)
  const rows = ({ page }: typeof first) => page.querySelectorAll('main tbody tr').length
  const link = ({ page }: typeof first, text: string) =>
    page
      .querySelectorAll('main a')
      .find((each) => each.textContent.includes(text))
      ?.getAttribute('href')
  expect([rows(first), link(first, 'Previous')]).toEqual([50, undefined])
  const second = await admin.get(link(first, 'Next')!)
  const third = await admin.get(link(second, 'Next')!)
  expect([rows(second), rows(third), link(third, 'Next')]).toEqual([50, 20, undefined])
  const back = await admin.get(link(third, 'Previous')!)
  expect(back.page.querySelector('main tbody')!.textContent).toBe(second.page.querySelector('main tbody')!.textContent)
  for (const path of [
    link(first, 'Next'),
    link(third, 'Previous'),
    link(first, 'Shipped')!.replace('shipped', 'unpaid'),
  ])
    expect(path).toContain(query)
  expect(link(first, 'Export CSV')).toBe('/dashboard/manageOrders.csv?from=1970-01-01&to=1970-01-02')
  const csv = await admin.fetch(link(first, 'Export CSV')!)
  expect([csv.headers.get('content-type'), csv.headers.get('cache-control')]).toEqual([
    'text/csv; charset=utf-8',
    'private, no-store',
  ])
  const lines = (await csv.text()).trim().split('\r\n')
  expect(lines).toHaveLength(121)
  expect(lines[1]).toMatch(
    /^"C-\d+","1970-01-01T00:00:00.001Z","unpaid","'=Ada",.*,"'\+4479","Violin","1","250.00","250.00","0.00","","","","",""$/,
  )
  for (const wrong of ['from=x', 'from=2026-13-01', 'from=2026-02-30', 'to=2026-11-24T99']) {
    const page = await admin.get(`/dashboard/manageOrders?${wrong}`)
    expect([page.status, rows(page), link(page, 'Export CSV')]).toEqual([400, 0, undefined])
    expect(page.page.querySelector('form.search .error')!.textContent).toBe('Give a day, like 2026-12-31')
    const refused = await admin.fetch(`/dashboard/manageOrders.csv?${wrong}`)
    expect([refused.status, await refused.text()]).toEqual([
      400,
      'From and To: Give a day, like 2026-12-31. Nothing is exported.\n',
    ])
  }
})
