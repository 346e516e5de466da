import { cards, payWith, payableOf, type Kind } from './card'
import {
  at,
  command,
  expectOutcome,
  hasOrders,
  isAdminNow,
  isPaid,
  pick,
  staff,
  type By,
  type Command,
} from './command'
import { priceAt } from './checker/history'
import type { DiscountRow } from './checker/facts'
import { clerk, type Model, type ModelSession, type OrderSeen } from './model'
import { stripeAt } from './provider'

interface OrderOptions {
  /** In place of the customer's own unpaid orders. */
  instead?: boolean
  /** Which of the codes. */
  code?: number | undefined
}

export function order(
  customer: number,
  which: number,
  quantity: number,
  { instead = false, code }: OrderOptions = {},
): Command {
  const words = `${instead ? ' instead' : ''}${code === undefined ? '' : ` with code ${code}`}`
  return command(`order ${quantity} of ${which} by ${customer}${words}`, async (model, session) => {
    const instrument = session.instruments[which]!
    const discount = code === undefined ? undefined : session.codes[code]!
    const now = session.env.clock.now()
    const givesWay = (one: OrderSeen) =>
      one.instrument === instrument &&
      ((instead && one.customer === customer) || (one.holdUntil > 0 && one.holdUntil <= now))
    const free = model.stock.get(instrument)!
    const max = model.orders
      .filter((one) => one.state === 'unpaid' && givesWay(one))
      .reduce((sum, one) => sum + one.quantity, free)
    const sure = free >= quantity && !instead
    const counts = !discount || codeCounts(model, session, { discount, customer, instrument, quantity, instead })
    const expected = !model.onSale.has(instrument) || max < quantity || !counts ? false : sure ? true : 'either'
    const outcome = await at(session, model, customer).order(instrument, quantity, { instead, code: discount?.code })
    expectOutcome(session, outcome, expected, 'order')
    await session.look(model, { cancel: givesWay })
  })
}

interface CodeUse {
  discount: DiscountRow
  customer: number
  instrument: string
  quantity: number
  instead: boolean
}

function codeCounts(model: Model, session: ModelSession, use: CodeUse): boolean {
  const { discount, customer, instrument, quantity, instead } = use
  const { code, max_uses: most, max_uses_per_customer: mostEach, min_total_cents: least, instruments } = discount
  const isOwn = (one: OrderSeen) => one.customer === customer
  const uses = model.orders.filter((one) => {
    const givesBack = instead && isOwn(one) && one.instrument === instrument && one.state === 'unpaid'
    return one.code === code && one.state !== 'cancelled' && !givesBack
  })
  const list = session.env.history.prices.get(instrument)!.at(-1)!
  return (
    !model.endedCodes.has(code) &&
    (instruments === '[]' || instruments.includes(instrument)) &&
    uses.length < (most ?? Infinity) &&
    uses.filter(isOwn).length < (mostEach ?? Infinity) &&
    priceAt(list, quantity, session.env.clock.now()) * quantity >= least
  )
}

export function start(kind: Kind, index: number): Command {
  return command(
    `${kind} for ${index}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const outcome = await at(session, model, target.customer).start(kind, target.id)
      const expected = target.state === 'unpaid' && !model.charged.has(target.id)
      // After a crash the payment that was being opened blocks a new one.
      expectOutcome(session, outcome, expected ? 'either' : false, kind)
      if (outcome.how === 'done') session.payables.push({ order: target.id, payable: outcome.value })
      await session.look(model, {})
    },
    hasOrders,
  )
}

export function pay(index: number, card: keyof typeof cards): Command {
  return command(
    `pay ${index} with a ${card} card`,
    async (model, session) => {
      if (session.payables.length === 0) return
      const { order: id, payable } = pick(session.payables, index)
      const charged = await payWith(session.env.sandbox.url, payable, cards[card])
      if (!charged) return
      const state = model.orders.find((one) => one.id === id)!.state
      if (state !== 'unpaid') throw new Error(`${payableOf(payable)} took money for an order that is ${state}`)
      if (model.charged.has(id)) throw new Error(`${payableOf(payable)} took money for an order that is paid for`)
      model.charged.add(id)
    },
    hasOrders,
  )
}

export function returnFromPayment(index: number): Command {
  return command(
    `return ${index}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const outcome = await at(session, model, target.customer).returnFromPayment(target.id)
      if (!session.crashed && outcome.how === 'done' && target.state === 'unpaid') {
        const paid = outcome.value === 'paid'
        if (paid !== model.charged.has(target.id)) throw new Error(`returned ${outcome.value}`)
      }
      await session.look(model, {})
    },
    hasOrders,
  )
}

export function cancel(index: number): Command {
  return command(
    `cancel ${index}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const outcome = await at(session, model, target.customer).cancel(target.id)
      const expected = target.state === 'cancelled' || (target.state === 'unpaid' && !model.charged.has(target.id))
      expectOutcome(session, outcome, expected, 'cancel')
      await session.look(model, { cancel: ({ id }) => id === target.id })
    },
    hasOrders,
  )
}

/** `tenths` of the total; `presses` of the same form. */
export function refund(index: number, tenths: number, restock: number, presses: number, by: By): Command {
  return command(
    `refund ${tenths} tenths of ${index} with ${restock} pieces, ${presses} times by ${by}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const client = staff(session, model, by)
      const amount = Math.max(1, Math.floor((target.total * tenths) / 10))
      const form = { amount, restock, submission: crypto.randomUUID() }
      const outcomes = await Promise.all(Array.from({ length: presses }, () => client.refund(target.id, form)))
      const mayRefund = isAdminNow(model, by)
      const fits = amount <= target.total - target.refunded && restock <= target.quantity - target.returned
      // What was refunded elsewhere is learned before the refund is made.
      const expected = mayRefund && isPaid(target) && fits && (model.elsewhere.has(target.id) ? 'either' : true)
      for (const outcome of outcomes) expectOutcome(session, outcome, expected, 'refund')
      const sums = { refunded: target.refunded + amount, returned: target.returned + restock }
      await session.look(model, { ...(expected && { refund: { id: target.id, ...sums } }), learn: true })
    },
    hasOrders,
  )
}

/** By the shopkeeper at the provider's site. */
export function refundElsewhere(index: number, tenths: number): Command {
  return command(
    `refund ${tenths} tenths of ${index} elsewhere`,
    async (model, session) => {
      const { id, transaction, total } = pick(model.orders, index)
      if (transaction === null) return
      const amount = Math.max(1, Math.floor((total * tenths) / 10))
      const stripe = stripeAt(session.env.sandbox.url)
      const made = await stripe.refunds.create({ payment_intent: transaction, amount }).catch(() => null)
      if (!made) return
      session.env.history.refundedElsewhere.push({ order: id, amount })
      model.elsewhere.set(id, (model.elsewhere.get(id) ?? 0) + amount)
    },
    hasOrders,
  )
}

export function ship(index: number, by: By): Command {
  return command(
    `ship ${index} by ${by}`,
    async (model, session) => {
      const paid = model.orders.filter(({ state }) => state === 'paid')
      const target = pick(index % 2 === 0 && paid.length > 0 ? paid : model.orders, index)
      const mayShip = isAdminNow(model, by) || (by === clerk && model.staffRole === 'packer')
      const isExpected = mayShip && target.state === 'paid' && target.returned < target.quantity
      expectOutcome(session, await staff(session, model, by).ship(target.id), isExpected, 'ship')
      await session.look(model, mayShip ? { ship: target.id } : {})
    },
    hasOrders,
  )
}

/** From the order to the payment: random steps alone seldom get there. */
export function buy(customer: number, which: number): Command {
  return command(`buy ${which} by ${customer}`, async (model, session) => {
    const known = model.orders.length
    await order(customer, which, 1).run(model, session)
    if (model.orders.length === known) return
    const newest = known
    const opened = session.payables.length
    await start('checkout', newest).run(model, session)
    if (session.payables.length > opened) await pay(opened, 'good').run(model, session)
    await returnFromPayment(newest).run(model, session)
  })
}
