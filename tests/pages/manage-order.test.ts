import { sql } from 'drizzle-orm'
import { nextOrderNumber } from '../../app/store/orders/orders.server'
import { changeStock } from '../../app/store/catalog/manage-instruments.server'
import { checkDisputes } from '../../app/store/payments/disputes.server'
import { aPaidOrder, anOrder, refundsAtStripe } from '../support/payments'
import { askForRefund, refund } from '../support/refund'
import { expect, test } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

/** Of a link on the page. */
function hrefOf({ page }: PageResponse, text: string): string {
  const link = page.querySelectorAll('main a').find((each) => each.textContent.trim() === text)
  return link!.getAttribute('href')!.replaceAll('&amp;', '&')
}

/** What a form with ticked boxes sends. */
const selection = (ids: string[]) => ids.map((id): [string, string] => ['order', id])

test('asks before it refunds a part of an order, without scripts, and says so everywhere', async ({ shop }) => {
  const { id, customer, transactionId, violin } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  const form = await admin.get(path)
  expect(form.page.querySelector('#amount')!.getAttribute('value') ?? '').toBe('')
  expect(form.text).toContain('All that is left ($500.00)')
  const wrong = await admin.press(form, 'Refund', { amount: '500.01', reason: '', restock: '3' })
  expect([wrong.status, wrong.text.includes('Reason is Required')]).toEqual([422, true])
  const refused = await admin.press(wrong, 'Refund', { amount: '500.01', reason: 'Dent <in> the bell', restock: '3' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('At most $500.00 is left to refund')
  expect(refused.text).toContain('At most 2 can go back to stock')
  const question = await admin.press(refused, 'Refund', { amount: '$120.50', restock: '1' })
  expect([question.status, question.page.querySelector('h1')!.textContent]).toEqual([
    200,
    `Refund $120.50 to ${customer.name}’s card?`,
  ])
  for (const words of ['Dent <in> the bell', '$379.50', '1 × ', 'on sale again at once'])
    expect(question.text).toContain(words)
  const back = await admin.get(hrefOf(question, 'Back'))
  expect(back.page.querySelector('#amount')!.getAttribute('value')).toBe('$120.50')
  expect(await refundsAtStripe(shop, transactionId)).toEqual([])
  const done = await admin.press(question, 'Refund')
  expect([done.status, done.path]).toEqual([200, path])
  expect(done.text).toContain('Refunded $120.50.')
  expect(done.page.querySelector('#amount')!.getAttribute('value') ?? '').toBe('')
  expect(done.text).toContain('All that is left ($379.50)')
  expect(done.page.querySelectorAll('main .badge').map(({ text }) => text)).toEqual([
    'Paid',
    'Refunded in part',
    'Pending',
    'Refunded',
  ])
  expect(done.text).toContain('Dent <in> the bell')
  expect(await refundsAtStripe(shop, transactionId)).toMatchObject([{ amount: 120_50 }])
  expect(await shop.stockOf(violin)).toBe(9)

  const [email] = await shop.emailsTo(customer.email)
  expect(email!.subject).toBe('Refund: $120.50 for C-1001')
  const ada = await shop.signedIn(customer)
  expect((await ada.get('/dashboard/myOrders')).text).toContain('Refund: $120.50')
  expect((await ada.get(`/dashboard/myOrders/receipt/${id}`)).text).toContain('$120.50')
  expect((await admin.get('/dashboard/manageOrders')).text).toContain('Refund: $120.50')
  const json = await ada.fetch(`/order/${id}`, { headers: { accept: 'application/json' } })
  expect(await json.json()).toMatchObject({ paid: true, transactionId, orderPrice: 500, refunded: 120.5 })

  const both = await askForRefund(admin, id, { amount: '1', all: 'on', reason: 'The rest' })
  expect([both.status, both.text.includes('not both')]).toEqual([422, true])
  await refund(admin, id, { all: 'on', reason: 'The rest' })
  const row = (await admin.get('/dashboard/manageOrders')).page.querySelector('main tbody tr')!.textContent
  expect([row.includes('Refunded'), row.includes('Ship Now')]).toEqual([true, false])
  expect((await ada.get('/dashboard/myOrders')).text).toContain('Refunded')
  const receipt = await ada.get(`/dashboard/myOrders/receipt/${id}`)
  expect(receipt.text).toContain('Paid by card, and refunded in full.')
})

test('stores a refund while Stripe is unavailable, and says so until the cron trigger makes it', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  await shop.faults({ stripe: { failNext: 50, status: 503 } })
  const owed = await refund(admin, id, { amount: '500', reason: 'Lost' })
  expect([owed.status, owed.path]).toEqual([200, path])
  expect(owed.text).toContain('The refund of $500.00 is stored.')
  expect(owed.text).toContain('Owed: refunded when Stripe responds')
  expect(owed.page.querySelector('#amount')).toBeNull()
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await shop.cron()
  expect((await admin.get(path)).text).not.toContain('Owed')
  expect(await refundsAtStripe(shop, transactionId)).toMatchObject([{ amount: 500_00 }])
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
  const ada = await shop.signedIn(customer)
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
  await refund(admin, refunded.id, { amount: '500', reason: 'Lost', restock: '0' })
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
  const ada = await shop.signedIn(customer)
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
  await refund(admin, id, { amount: '250', reason: 'One is enough', restock: '1' })
  const slip = await admin.get(`/dashboard/manageOrders/${id}/packingSlip`)
  expect(slip.page.querySelector('main article')!.textContent).toMatch(/OrderC-1001.*1 Bow Lane.*Pieces.*1Cadenza/s)
  expect(slip.page.querySelector('main article')!.textContent).not.toContain('$')
})

test('ships the selected orders with one press, and says of each what happened', async ({ shop }) => {
  const [first, second, unpaid] = [await aPaidOrder(shop), await aPaidOrder(shop), await anOrder(shop)]
  const admin = await shop.visitor().signIn(await shop.admin())
  const page = await admin.get('/dashboard/manageOrders')
  const boxes = ({ page }: PageResponse) => page.querySelectorAll('input[type=checkbox][name=order]')
  const ids = [first.id, second.id, unpaid.id]
  expect(boxes(page).map((box) => box.getAttribute('value'))).toEqual([...ids].reverse())
  expect(boxes(page).some((box) => box.hasAttribute('checked'))).toBe(false)
  const allTicked = boxes(await admin.get(hrefOf(page, 'Select all')))
  expect(allTicked.every((box) => box.hasAttribute('checked'))).toBe(true)
  expect((await admin.post('/dashboard/manageOrders', {})).status).toBe(422)
  const press = () => admin.post('/dashboard/manageOrders?status=paid', selection(ids))
  const after = await press()
  expect([after.status, after.path]).toEqual([200, '/dashboard/manageOrders?status=paid'])
  const said = after.page.querySelectorAll('main .notice li').map((item) => item.textContent)
  expect(said.sort()).toEqual([
    'C-1001, C-1002: marked as shipped.',
    'C-1003: not shipped. Only a paid order can be shipped, and only once.',
  ])
  expect(after.page.querySelectorAll('main tbody tr')).toHaveLength(0)
  const again = await press()
  expect(again.text).toContain('C-1001: not shipped. It is shipped already.')
  await shop.waitUntilIdle()
  const emails = (await shop.emailsTo(first.customer.email)).filter(({ subject }) => subject.startsWith('On its way'))
  expect(emails).toHaveLength(1)
})

test('ships the selected orders with a tracking number each, and says which were not shipped', async ({ shop }) => {
  const orders = [await aPaidOrder(shop), await aPaidOrder(shop), await aPaidOrder(shop)]
  const [first, second, third] = orders.map(({ id }) => id) as [string, string, string]
  const unpaid = await anOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const list = '/dashboard/manageOrders'
  const path = `${list}/packingSlips?${new URLSearchParams([['status', 'paid'], ...selection([first, second, unpaid.id])]).toString()}`
  const form = await admin.get(path)
  const labels = form.page.querySelectorAll('.ship-form label').map(({ textContent }) => textContent)
  expect(labels).toEqual(['Carrier of all', 'Tracking number of C-1002', 'Tracking number of C-1001'])
  const refused = await admin.press(form, 'Ship 2 orders', {
    carrier: 'Swift',
    tracking1: 'x'.repeat(61),
    tracking2: 'S-1',
  })
  expect([refused.status, refused.page.querySelector('[name=tracking2]')!.getAttribute('value')]).toEqual([422, 'S-1'])
  const shipped = await admin.press(refused, 'Ship 2 orders', { tracking1: ' S-2 ' })
  expect([shipped.path, shipped.text.includes('2 orders marked as shipped.')]).toEqual([`${list}?status=paid`, true])
  const stored = async (id: string) => {
    const [order] = await shop.deps.db.all<Record<string, unknown>>(
      sql`SELECT state, carrier, tracking_number AS number, tracking_url AS url FROM orders WHERE id = ${id}`,
    )
    return order
  }
  expect(await stored(first)).toEqual({ state: 'shipped', carrier: 'Swift', number: 'S-1', url: null })
  expect(await stored(second)).toEqual({ state: 'shipped', carrier: 'Swift', number: 'S-2', url: null })
  await shop.waitUntilIdle()
  expect((await shop.emailsTo(orders[1]!.customer.email))[0]!.text).toContain('S-2')

  // A colleague has shipped one of them in between: it keeps its number.
  const again = await admin.post(path, [...selection([second, third]), ['tracking1', 'other'], ['tracking2', '']])
  const said = again.page.querySelectorAll('main [role=status] li').map((item) => item.textContent)
  expect(said).toEqual(['C-1003: marked as shipped.', 'C-1002: not shipped. It is shipped already.'])
  expect(await stored(second)).toMatchObject({ number: 'S-2' })
  expect(await stored(third)).toEqual({ state: 'shipped', carrier: null, number: null, url: null })
})

test('opens the order whose number is searched for, from the list', async ({ shop }) => {
  const [first, second] = [await aPaidOrder(shop), await anOrder(shop)]
  const admin = await shop.visitor().signIn(await shop.admin())
  const list = await admin.get('/dashboard/manageOrders?status=shipped')
  const found = await admin.press(list, 'Search', { q: ' c-1001' })
  expect(found.path).toBe(`/dashboard/manageOrders/${first.id}`)
  expect((await admin.press(list, 'Search', { q: '1002' })).path).toBe(`/dashboard/manageOrders/${second.id}`)
  expect((await admin.press(list, 'Search', { q: '1003' })).text).toContain('Nothing matches')
})

test('opens the form for tracking numbers alone under its own title, with a link to the slips', async ({ shop }) => {
  const { id } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const { page } = await admin.get('/dashboard/manageOrders')
  const button = page.querySelectorAll('.desk-bar button').find(({ text }) => text === 'Ship with tracking numbers')!
  const [path, name, value] = ['formaction', 'name', 'value'].map((attribute) => button.getAttribute(attribute))
  const query = 'q=viol&status=paid&before=none'
  const form = await admin.get(`${path}?${query}&order=${id}&${name}=${value}`)
  expect(form.page.querySelector('title')!.textContent).toBe('Ship with tracking numbers · Cadenza')
  expect(form.page.querySelector('h1')!.textContent).toBe('Ship with tracking numbers')
  expect(form.page.querySelectorAll('main article')).toHaveLength(0)
  const slips = await admin.get(hrefOf(form, 'Packing slips'))
  expect(slips.page.querySelector('h1')!.textContent).toBe('Packing slips')
  expect(slips.page.querySelectorAll('main article')).toHaveLength(1)
  const list = `/dashboard/manageOrders?${query}`
  expect([form, slips].map((each) => hrefOf(each, 'Back to the orders'))).toEqual([list, list])
})

test('prints the slips of the selected orders in one document, and names those that need none', async ({ shop }) => {
  const [first, unpaid, second] = [await aPaidOrder(shop), await anOrder(shop), await aPaidOrder(shop)]
  const admin = await shop.visitor().signIn(await shop.admin())
  const query = new URLSearchParams(selection([first.id, unpaid.id, second.id, 'none']))
  const slips = await admin.get(`/dashboard/manageOrders/packingSlips?status=paid&${query.toString()}`)
  const sheets = slips.page.querySelectorAll('main article').map(({ textContent }) => textContent)
  expect(sheets.map((text) => /C-\d+/.exec(text)![0])).toEqual(['C-1003', 'C-1001'])
  expect(sheets.join()).not.toContain('$')
  expect(slips.text).toContain('No slip, since nothing is to be sent: C-1002.')
  expect(hrefOf(slips, 'Back to the orders')).toBe('/dashboard/manageOrders?status=paid')
  expect((await admin.get('/dashboard/manageOrders/packingSlips')).text).toContain('No order is selected')
})

test('lists what to take from the shelf for the orders to ship, by instrument', async ({ shop }) => {
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = '/dashboard/manageOrders/pickingList'
  expect((await admin.get(path)).text).toContain('Nothing to ship')
  const [first, second] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  await shop.deps.db.run(sql`UPDATE instruments SET name = 'Alto Viol' WHERE id = ${second.violin}`)
  await refund(admin, first.id, { amount: '250', reason: 'One is enough', restock: '1' })
  const { page, text } = await admin.get(path)
  expect(text).toContain('3 pieces for 2 orders to ship')
  const rows = page.querySelectorAll('main tbody tr').map((row) => row.textContent.replace(/\s+/g, ' ').trim())
  expect(rows).toEqual([
    expect.stringMatching(/^1.*C-1001 × 1$/) as string,
    expect.stringMatching(/^2.*C-1002 × 2$/) as string,
  ])
  shop.skipInvariants('orders that nobody placed')
  const add = (from: number, through: number) =>
    shop.deps.db.batch([
      shop.deps.db.run(sql`
        WITH RECURSIVE many(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM many WHERE n < ${through})
        INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
          customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
        SELECT 'o' || n, ${nextOrderNumber} + row_number() OVER () - 1, ${first.customer.id}, ${first.violin}, n, 'Violin', 25000, 1, 25000, 'Ada', 'a', 'x', '1', n, 'test' FROM many`),
      shop.deps.db.run(
        sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_' || id, moved_by = 'test' WHERE id LIKE 'o%' AND state = 'unpaid'`,
      ),
    ])
  await changeStock(shop.deps, { id: 'test' }, first.violin, {
    ...{ pieces: 300, direction: 'in', reason: 'Delivery', submissionId: 'delivery-1' },
  })
  // With the two: 250, and one more.
  await add(1, 248)
  const most = await admin.get(path)
  expect([most.text.includes('for 250 orders to ship'), most.text.includes('There are more.')]).toEqual([true, false])
  await add(249, 249)
  const more = await admin.get(path)
  expect(more.text).toContain('for 250 orders to ship')
  expect(more.text).toContain('These are the 250 oldest orders to ship. There are more.')
})

test('keeps search, status and days in every link of the list, and on the way from one order to the next', async ({
  shop,
}) => {
  shop.skipInvariants('orders that nobody placed')
  const { id, violin, customer } = await anOrder(shop, { stock: 200 })
  await shop.deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 120)
    INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT 'o' || n, ${nextOrderNumber} + n - 1, ${customer.id}, ${violin}, n, 'Violin', 25000, 1, 25000, '=Ada', ${customer.email}, '1 Bow Lane', '+4479', n, 'test' FROM many`)
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
    /^"C-\d+","1970-01-01T00:00:00.001Z","unpaid","'=Ada",.*,"\+4479","Violin","1","250.00","250.00","0.00","","","","","","","",""$/,
  )
  for (const wrong of ['from=x', 'from=2026-13-01', 'from=2026-02-30', 'to=2026-11-24T99']) {
    const page = await admin.get(`/dashboard/manageOrders?${wrong}`)
    expect([page.status, rows(page), link(page, 'Export CSV')]).toEqual([400, 0, undefined])
    expect(page.page.querySelector('form.desk-search .error')!.textContent).toBe('Give a day, like 2026-12-31')
    const refused = await admin.fetch(`/dashboard/manageOrders.csv?${wrong}`)
    expect([refused.status, await refused.text()]).toEqual([
      400,
      'From and To: Give a day, like 2026-12-31. Nothing is exported.\n',
    ])
  }
  await shop.deps.db.run(sql`
    UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_' || id, moved_by = 'test' WHERE id IN ('o1', 'o2', ${id})`)
  const days = 'from=1970-01-01&to=1970-01-02'
  const order = await admin.get(`/dashboard/manageOrders/o1?${days}`)
  const next = await admin.press(order, 'Ship and open the next')
  expect(next.path).toBe(`/dashboard/manageOrders/o2?${days}`)
  // That of today is not of these days.
  const last = await admin.press(next, 'Ship and open the next')
  expect([last.path, last.text.includes('It was the last one to ship.')]).toEqual([
    `/dashboard/manageOrders?status=paid&${days}`,
    true,
  ])
})

test('says at the desk that a payment is disputed, and ships such an order only after a tick', async ({ shop }) => {
  const [disputed, other] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  const atTheBank = (what: string) =>
    fetch(`${shop.sandbox.url}/disputes`, {
      method: 'POST',
      body: new URLSearchParams({ payment: disputed.transactionId, do: what }),
      redirect: 'manual',
    })
  await atTheBank('dispute')
  await checkDisputes(shop.deps)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${disputed.id}`
  const list = await admin.get('/dashboard/manageOrders')
  expect(list.page.querySelectorAll('main .badge').map(({ text }) => text)).toEqual(['Disputed'])
  const toShip = await admin.get('/dashboard/manageOrders?status=paid')
  expect(toShip.html).not.toContain(`/manageOrders/${disputed.id}`)
  expect(toShip.html).toContain(`/manageOrders/${other.id}`)
  expect((await admin.get('/dashboard')).text).toContain('To ship 1')
  expect((await admin.get('/dashboard/problems')).text).toContain('Disputed payments that wait for your answer')

  const order = await admin.get(path)
  expect(order.text).toContain('Stripe takes an answer until')
  expect(order.text).toContain('Payment disputed: $500.00, fraudulent')
  expect(order.page.querySelector('#refund-form')).toBeNull()
  expect((await admin.get(`${path}/refund`)).text).toContain('Stripe refuses a refund of it')
  const refused = await admin.press(order, 'Ship Now', { carrier: 'Swift' })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Its payment is disputed')])
  const selected = await admin.post('/dashboard/manageOrders', [['order', disputed.id]])
  expect(selected.text).toContain('Its payment is disputed')
  const shipped = await admin.press(refused, 'Ship Now', { disputed: 'on' })
  expect(shipped.text).toContain('Order marked as shipped.')

  await atTheBank('lost')
  await checkDisputes(shop.deps)
  expect((await admin.get(path)).text).toContain('Dispute lost')
  const customer = await shop.signedIn(disputed.customer)
  expect((await customer.get(`/dashboard/myOrders/${disputed.id}`)).text).toContain(
    'Your bank has given this payment back to you.',
  )
  const reports = (await admin.get('/dashboard/reports')).text
  expect(reports).toContain('-$515.00')
})
