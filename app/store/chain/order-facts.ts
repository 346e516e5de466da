/** A row of `orders`, with the events and refunds that it must agree with. Amounts in cents, times in milliseconds since 1970. */
export interface OrderFacts {
  order: {
    state: string
    unitPriceCents: number
    quantity: number
    totalCents: number
    createdAt: number
    paidAt: number | null
    shippedAt: number | null
    cancelledAt: number | null
    transactionId: string | null
    refundedCents: number
    returnedQuantity: number
  }
  /** In order of their ids. */
  events: { at: number; event: string; aboutId: string | null; stockDelta: number }[]
  /** Of the payment that paid for the order. */
  refunds: {
    id: string
    amountCents: number
    restock: number
    refundId: string | null
    madeAt: number | null
    failedAt: number | null
  }[]
  /** Of payments that paid for nothing. */
  otherRefunds: { id: string; refundId: string | null; madeAt: number | null }[]
}

const states: Record<string, string> = {
  'order placed': 'unpaid',
  'order paid': 'paid',
  'order shipped': 'shipped',
  'order cancelled': 'cancelled',
}

/**
 * The columns that change with the events of an order, and what they are instead of what the events make them; empty if they agree. The
 * links of the chain prove the events, and the columns that never change.
 */
export function findContradictions({ order, events, refunds, otherRefunds }: OrderFacts): string[] {
  const wrong: string[] = []
  const expect = (what: string, found: Value, expected: Value) => {
    if (found !== expected) wrong.push(`${what} is ${say(found)}, and by its events ${say(expected)}`)
  }
  const life = events.filter(({ event }) => event in states)
  const of = (event: string) => life.find((each) => each.event === event)
  const [placed, paid] = [of('order placed'), of('order paid')]
  expect('state', order.state, states[life.at(-1)?.event ?? ''])
  expect('created_at', order.createdAt, placed?.at)
  expect('quantity', order.quantity, placed && -placed.stockDelta)
  expect('total_cents', order.totalCents, order.unitPriceCents * order.quantity)
  expect('paid_at', order.paidAt, paid?.at ?? null)
  expect('transaction_id', order.transactionId, paid?.aboutId ?? null)
  expect('shipped_at', order.shippedAt, of('order shipped')?.at ?? null)
  expect('cancelled_at', order.cancelledAt, of('order cancelled')?.at ?? null)
  let [refunded, returned] = [0, 0]
  for (const { id, amountCents, restock, refundId, madeAt, failedAt } of refunds) {
    const its = events.filter(({ aboutId, event }) => aboutId === id && event.startsWith('refund'))
    const last = its.filter(({ event }) => event !== 'refund owed').at(-1)
    const failure = last?.event === 'refund failed' ? last.at : null
    const isMade = its.some(({ event }) => event === 'refund made')
    expect(`refund ${id}: whether it has an event`, its.length > 0, true)
    expect(`refund ${id}: failed_at`, failedAt, failure)
    expect(`refund ${id}: whether it is made`, refundId !== null && madeAt !== null, isMade)
    if (failure === null) refunded += amountCents
    returned += restock
  }
  for (const { id, refundId, madeAt } of otherRefunds) {
    const its = events.filter(({ aboutId }) => aboutId === id)
    expect(`refund of ${id}: whether it has an event`, its.length > 0, true)
    const isMade = its.some(({ event }) => event === 'refund made')
    expect(`refund of ${id}: whether it is made`, refundId !== null && madeAt !== null, isMade)
  }
  expect('refunded_cents', order.refundedCents, refunded)
  expect('returned_quantity', order.returnedQuantity, returned)
  const known = new Set([...refunds, ...otherRefunds].map(({ id }) => id))
  for (const { event, aboutId } of events.filter((each) => each.event.startsWith('refund')))
    expect(`refund ${aboutId}: whether it is there after "${event}"`, known.has(aboutId ?? ''), true)
  return wrong
}

type Value = string | number | boolean | null | undefined

const say = (value: Value) => (value === undefined ? 'missing' : String(value))
