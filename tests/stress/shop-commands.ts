import { hours } from './clock'
import { command, expectOutcome, hasOrders, isAdminNow, pick, staff, type By, type Command } from './command'
import { breaksBelow } from './model'
import { eventsAt, orderOf, signed } from './provider'
import { runScheduledTasks, handleWebhookEvent } from './store-commands'

export function deliver(index: number): Command {
  return command(
    `event ${index}`,
    async (model, session) => {
      const its = new Set(model.orders.map(({ id }) => id))
      const all = (await eventsAt(session.env.sandbox.url)).filter(({ data }) => its.has(orderOf(data.object) ?? ''))
      if (all.length === 0) return
      const { body, signature } = await signed(pick(all, index))
      const worker = session.worker(model)
      const event = await worker.payments.readEvent(body, signature)
      if (!event) throw new Error('A genuine event was refused')
      await handleWebhookEvent(worker, event).catch((error: unknown) => {
        if (!session.crashed) throw error
      })
      await session.look(model, { learn: true })
    },
    hasOrders,
  )
}

export const cron = command('house', async (model, session) => {
  const now = session.env.clock.now()
  await runScheduledTasks(session.worker(model)).catch((error: unknown) => {
    if (!session.crashed) throw error
  })
  await session.look(model, { cancel: ({ holdUntil }) => holdUntil > 0 && holdUntil <= now, learn: true })
})

export function wait(length: number): Command {
  return command(`wait ${length} hours`, (_model, session) => {
    session.env.clock.advance(length * hours)
    return Promise.resolve()
  })
}

export function crash(effect: number, side: 'before' | 'after'): Command {
  return command(`crash ${side} effect ${effect} of the next command`, (model) => {
    model.crashAt = { at: effect, side }
    return Promise.resolve()
  })
}

export const reprice = (which: number, price: number) =>
  command(`reprice ${which} to ${price}`, (_model, session) =>
    session.env.reprice(session.instruments[which]!, price, breaksBelow(price)),
  )

/** `off` cents below the price of now, in so many hours and for as many; the breaks are two and three cents below it. */
export const reduce = (which: number, off: number, inHours: number, length: number) =>
  command(`reduce ${which} by ${off} in ${inHours} hours for ${length}`, (_model, session) => {
    const instrument = session.instruments[which]!
    const { price, breaks } = session.env.history.prices.get(instrument)!.at(-1)!
    const from = session.env.clock.now() + inHours * hours
    const sale = { price: Math.max(1, price - off), from, until: from + length * hours }
    return session.env.reprice(instrument, price, breaks, sale)
  })

export const restock = (which: number, pieces: number) =>
  command(`restock ${which} by ${pieces}`, async (model, session) => {
    await session.env.restock(session.instruments[which]!, pieces)
    await session.look(model, {})
  })

export const remove = (which: number) =>
  command(`remove ${which}`, async (model, session) => {
    model.onSale.delete(session.instruments[which]!)
    await session.env.remove(session.instruments[which]!)
  })

export function endCode(which: number, by: By): Command {
  return command(`end code ${which} by ${by}`, async (model, session) => {
    const { code } = session.codes[which]!
    const mayEnd = isAdminNow(model, by)
    expectOutcome(session, await staff(session, model, by).endDiscount(code), mayEnd, 'end a code')
    const [row] = await session.env.query(`SELECT ended_at FROM discounts WHERE code = '${code}'`)
    const isEnded = row!.ended_at !== null
    if (isEnded && !mayEnd && !model.endedCodes.has(code)) throw new Error(`${code} was ended by ${by}`)
    if (isEnded) model.endedCodes.add(code)
    await session.look(model, {})
  })
}

export const makeAdmin = command('grant', async (model, session) => {
  expectOutcome(session, await staff(session, model, 0).makeAdmin(session.staff[1]), true, 'grant')
  await session.look(model, {})
})

export const revokeAdmin = command('revoke', async (model, session) => {
  expectOutcome(session, await staff(session, model, 0).revokeAdmin(session.staff[1]), true, 'revoke')
  await session.look(model, {})
})
