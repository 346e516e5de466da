import { sql } from 'drizzle-orm'
import type { OrderState } from '../../app/store/orders/orders'
import { newId } from '../../app/store/shared/ids.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { expect, orderInput, test } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const states = ['unpaid', 'paid', 'shipped', 'cancelled'] as const

/** Nothing where the list does not have it. */
type Words = Record<OrderState, string | undefined>

const rows: [path: string, who: 'ada' | 'admin', cell: string, words: Words][] = [
  [
    '/dashboard/myOrders',
    ...(['ada', 'td[data-label=Payment]'] as const),
    { unpaid: 'Pay', paid: 'Paid pi_paid', shipped: 'Paid Shipped pi_shipped', cancelled: undefined },
  ],
  [
    '/dashboard',
    ...(['ada', 'td[data-label=Action]'] as const),
    { unpaid: 'Pay', paid: 'Receipt', shipped: 'Receipt', cancelled: undefined },
  ],
  [
    '/dashboard/manageOrders',
    ...(['admin', 'td[data-label=Payment], td[data-label=Status]'] as const),
    { unpaid: 'Unpaid Pending', paid: 'Paid Pending', shipped: 'Paid Shipped', cancelled: undefined },
  ],
  [
    '/dashboard/manageOrders?status=cancelled',
    ...(['admin', 'td[data-label=Status]'] as const),
    { unpaid: undefined, paid: undefined, shipped: undefined, cancelled: 'Cancelled' },
  ],
  [
    '/dashboard/makeAdmin/ada',
    ...(['admin', 'td[data-label=Status]'] as const),
    { unpaid: 'Unpaid', paid: 'Paid', shipped: 'Shipped', cancelled: 'Cancelled' },
  ],
]

test('calls an order what it is in each state, in every list, in the export and in JSON', async ({ shop }) => {
  shop.skipInvariants('orders that are paid without a payment')
  const [customer, shopkeeper] = [await shop.customer(), await shop.admin()]
  const ids = {} as Record<OrderState, string>
  for (const state of states) {
    const violin = await shop.sells({ name: `Violin, ${state}` })
    const { id } = await placeOrder(shop.deps, customer, { ...orderInput(violin), submissionId: newId() })
    ids[state] = id
    await shop.deps.db.run(sql`UPDATE payment_attempts SET state = 'closed' WHERE order_id = ${id}`)
    if (state === 'cancelled')
      await shop.deps.db.run(
        sql`UPDATE orders SET state = 'cancelled', cancelled_at = 1, moved_by = 'test' WHERE id = ${id}`,
      )
    if (state === 'paid' || state === 'shipped')
      await shop.deps.db.run(
        sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = ${`pi_${state}`}, moved_by = 'test' WHERE id = ${id}`,
      )
    if (state === 'shipped')
      await shop.deps.db.run(sql`UPDATE orders SET state = 'shipped', shipped_at = 2 WHERE id = ${id}`)
  }
  await shop.deps.db.run(sql`UPDATE emails SET sent_at = 1`)
  const [ada, admin] = [await shop.signedIn(customer), await shop.signedIn(shopkeeper)]
  const words = ({ page }: PageResponse, state: OrderState, cell: string) =>
    page
      .querySelectorAll('main tbody tr')
      .find((row) => row.textContent.includes(`Violin, ${state}`))
      ?.querySelectorAll(cell)
      .map((each) =>
        each.structuredText
          .replace(/Reserved until[^]*/, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .join(' ')
  for (const [path, who, cell, expected] of rows) {
    const page = await (who === 'ada' ? ada : admin).get(path.replace(/ada$/, customer.id))
    const shown = Object.fromEntries(states.map((state) => [state, words(page, state, cell)]))
    expect(shown, path).toEqual(expected)
  }
  const lines = (await (await admin.fetch('/dashboard/manageOrders.csv')).text()).split('\r\n')
  const json = await (
    await admin.fetch('/order', { headers: { accept: 'application/json' } })
  ).json<{ _id: string; paid: boolean }[]>()
  for (const state of states) {
    expect(lines.find((line) => line.includes(`Violin, ${state}`))).toContain(`"${state}"`)
    const paid = { unpaid: false, paid: true, shipped: true, cancelled: undefined }[state]
    expect(json.find(({ _id }) => _id === ids[state])?.paid, state).toBe(paid)
  }
})
