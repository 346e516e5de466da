import { expect } from 'vitest'
import { startCheckout } from '../../app/store/payments/payments.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { prepareSession } from '../../app/store/accounts/sign-in.server'
import { newId } from '../../app/store/ids.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { payAt } from '../support/hosted-page'
import { test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const attributes = (response: PageResponse, selector: string, name: string) =>
  response.page.querySelectorAll(selector).map((element) => element.getAttribute(name))
const title = ({ page }: PageResponse) => page.querySelector('title')!.text
const focused = ({ page }: PageResponse) => page.querySelectorAll('[autofocus]')

const ordered = async (shop: Shop, instrumentId: string, customer: { id: string; email: string; name: string }) =>
  (
    await placeOrder(shop.deps, customer, {
      instrumentId,
      submissionId: newId(),
      orderQuantity: 2,
      customerAddress: '1 Bow Lane',
      customerPhone: '07700 900123',
    })
  ).id

test('returns from an action in a list to its row, or to the next if the row is gone', async ({ shop }) => {
  const [violin, viola] = [await shop.sells({ name: 'A violin' }), await shop.sells({ name: 'B viola' })]
  const ada = await shop.customer()
  const [older, newer] = [await ordered(shop, violin, ada), await ordered(shop, viola, ada)]
  const browser = await shop.signedIn(ada)
  const orders = '/dashboard/myOrders?before=zzz'
  const refused = await browser.post(orders, { orderId: 'none' })
  expect(refused.status).toBe(404)
  expect(title(refused)).toBe('Error: My Orders · Cadenza')
  expect(focused(refused).map(({ text }) => text)).toEqual(['There is no such order.'])

  await (
    await prepareSession(shop.deps, ada, 'Firefox/1 Linux')
  ).insert
  await (
    await prepareSession(shop.deps, ada, 'Safari/1 iPhone')
  ).insert
  const path = '/dashboard/myProfile/sessions'
  const sessions = await browser.get(path)
  const ids = attributes(sessions, 'tbody th span', 'id')
  const row = sessions.page.querySelectorAll('tbody tr').findIndex((each) => each.text.includes('Firefox'))
  const ended = await browser.press(sessions, 'Sign out there', {}, { row: 'Firefox' })
  expect([ended.path, ended.fragment]).toEqual([path, `#${ids[row + 1] ?? ids[row - 1]}`])
  const alone = await browser.press(ended, 'Sign out everywhere else')
  expect([alone.path, alone.fragment]).toEqual([path, `#${attributes(alone, 'tbody th span', 'id')[0]}`])

  for (const id of [older, newer]) {
    await payAt((await startCheckout(shop.deps, ada, id)).url)
    await confirmOrderPayment(shop.deps, id)
  }
  const admin = await shop.signedIn(await shop.admin())
  const toShip = '/dashboard/manageOrders?status=paid'
  const shipped = await admin.press(await admin.get(toShip), 'Ship Now', {}, { row: 'B viola' })
  expect([shipped.path, shipped.fragment]).toEqual([toShip, `#${older}`])
  await admin.press(shipped, 'Ship Now')

  const users = `/dashboard/makeAdmin?after=${encodeURIComponent('')}`
  for (const button of ['Remove User', 'Make Admin']) {
    const after = await admin.press(await admin.get(users), button, {}, { row: ada.email })
    expect([after.path, after.fragment], button).toEqual([users, `#${ada.id}`])
  }
})
