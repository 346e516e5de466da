import { grouped, type DiscountRow, type Facts, type OrderRow } from './facts'
import { priceAt, type PriceList } from './history'
import type { Expect } from './violation'

/** Invariant 21: who has a code pays what it gives, within its terms, and it is used as often as it may be. */
export function checkDiscounts({ orders, discounts, history }: Facts, expect: Expect): void {
  const byCode = new Map(discounts.map((discount) => [discount.code, discount]))
  const withCode = orders.filter(({ discount_code: code }) => code !== null)
  for (const order of withCode) {
    const subject = `order ${order.id}`
    const discount = byCode.get(order.discount_code!)
    expect(discount !== undefined, 19, subject, `has the code ${order.discount_code}, which there is not`)
    if (!discount) continue
    checkTerms(order, discount, (holds, message) => expect(holds, 19, subject, message))
    const lists = history?.listsAt(order.instrument_id, order.created_at)
    const isRight = lists?.some((list) => priceOf(list, order, discount) === order.unit_price_cents) ?? true
    expect(isRight, 19, subject, `${order.quantity} at ${order.unit_price_cents}, which ${discount.code} never made`)
  }
  const used = grouped(
    withCode.filter(({ state }) => state !== 'cancelled'),
    (order) => order.discount_code,
  )
  for (const { code, max_uses: most, max_uses_per_customer: mostEach } of discounts) {
    const its = used.get(code) ?? []
    const subject = `code ${code}`
    expect(most === null || its.length <= most, 19, subject, `is used ${its.length} times, and may be ${most}`)
    for (const [customer, each] of grouped(its, (order) => order.customer_id))
      expect(mostEach === null || each.length <= mostEach, 19, subject, `is used ${each.length} times by ${customer}`)
  }
}

function checkTerms(order: OrderRow, discount: DiscountRow, expect: (holds: boolean, message: string) => void): void {
  const { created_at: at, total_cents: total, discount_cents: off } = order
  expect(order.quote_id === null, 'has a code and an offer')
  expect(off !== null && off > 0 && off % order.quantity === 0, `has a discount of ${off}`)
  expect(total >= 50, `costs ${total}, which no card can pay`)
  expect(at >= discount.from_at && at < (discount.until_at ?? Infinity), 'has a code of other days')
  expect(at <= (discount.ended_at ?? Infinity), 'has a code that had ended')
  expect(total + off! >= discount.min_total_cents, 'is below the smallest order of its code')
  const { instruments, families } = discount
  const isFor = families !== '[]' || instruments === '[]' || instruments.includes(`"${order.instrument_id}"`)
  expect(isFor, 'has a code of other instruments')
}

/** Cent by cent: the smallest discount that is not below the percentage, as long as a card can pay. */
function priceOf(
  list: PriceList,
  { quantity, created_at: at }: Pick<OrderRow, 'quantity' | 'created_at'>,
  code: DiscountRow,
) {
  const usual = priceAt(list, quantity, at)
  const base = code.combines === 1 ? usual : list.price
  const exact = code.percent === null ? code.amount_cents! * 100 : base * code.percent
  let off = Math.floor(exact / 100)
  if (off * 100 < exact) off += 1
  let price = base - off
  while (price * quantity < 50) price = Math.max(price + 1, 1)
  return price < usual ? price : usual
}
