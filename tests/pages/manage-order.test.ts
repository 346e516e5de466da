import { expect } from 'vitest'
import { aPaidOrder, refundAtStripe, refundsAtStripe } from '../support/payments'
import { test } from '../support/shop'

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
})

test('stores a refund while Stripe is unavailable, and says so until the cron trigger makes it', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  const path = `/dashboard/manageOrders/${id}`
  await shop.faults({ stripe: { failNext: 50, status: 503 } })
  const owed = await admin.press(await admin.get(path), 'Refund', { amount: '500', reason: 'Lost' })
  expect([owed.status, owed.path]).toEqual([200, path])
  expect(owed.text).toContain('The refund of $500.00 is stored.')
  expect(owed.text).toContain('Owed: made when Stripe answers')
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
