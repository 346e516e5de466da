import { cards, payWith, payableOf, type Kind } from './card'
import { Client } from './client'
import { at, command, expectOutcome, hasOrders, pick, type Command } from './command'
import type { OrderSeen } from './model'

export function order(customer: number, which: number, quantity: number, instead: boolean): Command {
  return command(`order ${quantity} of ${which} by ${customer}${instead ? ' instead' : ''}`, async (model, play) => {
    const instrument = play.instruments[which]!
    const now = play.stand.clock.now()
    const givesWay = (one: OrderSeen) =>
      one.instrument === instrument &&
      ((instead && one.customer === customer) || (one.holdUntil > 0 && one.holdUntil <= now))
    const free = model.stock.get(instrument)!
    const most = model.orders
      .filter((one) => one.state === 'unpaid' && givesWay(one))
      .reduce((sum, one) => sum + one.quantity, free)
    const sure = free >= quantity && !instead
    const expected = !model.onSale.has(instrument) || most < quantity ? false : sure ? true : 'either'
    const outcome = await at(play, model, customer).order(instrument, quantity, { instead })
    expectOutcome(play, outcome, expected, 'order')
    await play.look(model, { cancel: givesWay })
  })
}

export function start(kind: Kind, index: number): Command {
  return command(
    `${kind} for ${index}`,
    async (model, play) => {
      const chosen = pick(model.orders, index)
      const outcome = await at(play, model, chosen.customer).start(kind, chosen.id)
      const expected = chosen.state === 'unpaid' && !model.charged.has(chosen.id)
      // After a crash, whatever was being opened is waited for: then the answer may be a no.
      expectOutcome(play, outcome, expected ? 'either' : false, kind)
      if (outcome.how === 'done') play.given.push({ order: chosen.id, payable: outcome.value })
      await play.look(model, {})
    },
    hasOrders,
  )
}

export function pay(index: number, card: keyof typeof cards): Command {
  return command(
    `pay ${index} with a ${card} card`,
    async (model, play) => {
      if (play.given.length === 0) return
      const { order: id, payable } = pick(play.given, index)
      const charged = await payWith(play.stand.sandbox.url, payable, cards[card])
      if (!charged) return
      const state = model.orders.find((one) => one.id === id)!.state
      if (state !== 'unpaid') throw new Error(`${payableOf(payable)} took money for an order that is ${state}`)
      if (model.charged.has(id)) throw new Error(`${payableOf(payable)} took money for an order that is paid for`)
      model.charged.add(id)
    },
    hasOrders,
  )
}

export function comeBack(index: number): Command {
  return command(
    `return ${index}`,
    async (model, play) => {
      const chosen = pick(model.orders, index)
      const outcome = await at(play, model, chosen.customer).comesBack(chosen.id)
      if (!play.crashed && outcome.how === 'done' && chosen.state === 'unpaid') {
        const paid = outcome.value === 'paid'
        if (paid !== model.charged.has(chosen.id)) throw new Error(`told ${outcome.value}`)
      }
      await play.look(model, {})
    },
    hasOrders,
  )
}

export function cancel(index: number): Command {
  return command(
    `cancel ${index}`,
    async (model, play) => {
      const chosen = pick(model.orders, index)
      const outcome = await at(play, model, chosen.customer).cancel(chosen.id)
      const expected = chosen.state === 'cancelled' || (chosen.state === 'unpaid' && !model.charged.has(chosen.id))
      expectOutcome(play, outcome, expected, 'cancel')
      await play.look(model, { cancel: ({ id }) => id === chosen.id })
    },
    hasOrders,
  )
}

export function ship(index: number): Command {
  return command(
    `ship ${index}`,
    async (model, play) => {
      const chosen = pick(model.orders, index)
      const admin = new Client(play.worker(model), play.stand.history, play.admin)
      expectOutcome(play, await admin.ship(chosen.id), chosen.state === 'paid', 'ship')
      await play.look(model, { ship: chosen.id })
    },
    hasOrders,
  )
}
