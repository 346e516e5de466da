import { shipOrder } from '../../app/store/orders/manage-order.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { payAt } from '../support/hosted-page'
import { day, expect, orderInput, test, type Shop } from '../support/shop'

/** Shipped a day and a half ago. */
async function shippedOrder(shop: Shop, customer: { id: string; name: string; email: string }, name: string) {
  const id = await shop.sells({ name })
  const order = await placeOrder(shop.deps, customer, orderInput(id))
  await payAt((await startCheckout(shop.deps, customer, order.id)).url)
  await confirmOrderPayment(shop.deps, order.id)
  const earlier = { ...shop.deps, now: () => Date.now() - 1.5 * day }
  await shipOrder(earlier, { id: (await shop.admin()).id, role: 'admin' }, order.id)
  return id
}

const asked = async (shop: Shop, { email }: { email: string }) =>
  (await shop.emailsTo(email)).filter(({ subject }) => subject.startsWith('How is your'))

test('asks for a review once the shopkeeper has switched it on, until its reader presses the button of the link', async ({
  shop,
}) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const oboe = await shippedOrder(shop, ada, 'Oboe')
  await shop.cron()
  expect(await asked(shop, ada)).toEqual([])

  const shopkeeper = await shop.signedIn(await shop.admin())
  const path = '/dashboard/settings'
  const wrong = await shopkeeper.press(await shopkeeper.get(path), 'Save', { reviewDays: '91' })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('a number from 1 to 90; empty: no email')])
  const saved = await shopkeeper.press(await shopkeeper.get(path), 'Save', { reviewDays: '1' })
  expect(saved.page.querySelector('[name=reviewDays]')?.getAttribute('value')).toBe('1')
  await shop.cron()
  await shop.cron()
  const [email, ...others] = await asked(shop, ada)
  expect(others).toEqual([])

  const link = new URL(/Write a review:\n(\S+)/.exec(email!.text)![1]!)
  const form = await (await shop.signedIn(ada)).get(link.pathname + link.search)
  expect(form.page.querySelector('[name=instrumentId] [selected]')?.getAttribute('value')).toBe(oboe)

  const { headers } = email as unknown as { headers: Record<string, string> }
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const unsubscribe = /^<(.*)>$/.exec(headers['List-Unsubscribe']!)![1]!
  expect(email!.text).toContain(`(${unsubscribe})`)
  const { pathname, search } = new URL(unsubscribe)
  const stranger = shop.visitor()
  const button = 'Send me none of these emails'
  for (let nth = 0; nth < 2; nth++) expect((await stranger.get(pathname + search)).text).toContain(button)
  const done = await stranger.press(await stranger.get(pathname + search), button)
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('Done. We ask you for no more reviews.')])
  expect(done.text).not.toContain(button)
  // As an email program does.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await fetch(unsubscribe, { method: 'POST', redirect: 'manual', body })).status).toBe(200)

  await shippedOrder(shop, ada, 'Viola')
  await shippedOrder(shop, bea, 'Rebec')
  await shop.cron()
  expect([(await asked(shop, ada)).length, (await asked(shop, bea)).length]).toEqual([1, 1])
})
