import { cards, payWith, payableOf, type Kind } from './card'
import { Client } from './client'
import { at, command, expectOutcome, hasOrders, pick, type Command } from './command'
import type { OrderSeen } from './model'

export function order(customer: number, which: number, quantity: number, instead: boolean): Command {
  return command(`order ${quantity} of ${which} by ${customer}${instead ? ' instead' : ''}`, async (model, session) => {
    const instrument = session.instruments[which]!
    const now = session.env.clock.now()
    const givesWay = (one: OrderSeen) =>
      one.instrument === instrument &&
      ((instead && one.customer === customer) || (one.holdUntil > 0 && one.holdUntil <= now))
    const free = model.stock.get(instrument)!
    const max = model.orders
      .filter((one) => one.state === 'unpaid' && givesWay(one))
      .reduce((sum, one) => sum + one.quantity, free)
    const sure = free >= quantity && !instead
    const expected = !model.onSale.has(instrument) || max < quantity ? false : sure ? true : 'either'
    const outcome = await at(session, model, customer).order(instrument, quantity, { instead })
    expectOutcome(session, outcome, expected, 'order')
    await session.look(model, { cancel: givesWay })
  })
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

export function ship(index: number): Command {
  return command(
    `ship ${index}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const admin = new Client(session.worker(model), session.env.history, session.admin)
      expectOutcome(session, await admin.ship(target.id), target.state === 'paid', 'ship')
      await session.look(model, { ship: target.id })
    },
    hasOrders,
  )
}
