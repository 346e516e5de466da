import { hours } from './clock'
import { command, hasOrders, pick, type Command } from './command'
import { eventsAt, orderOf, signed } from './provider'
import { runScheduledTasks, handleWebhookEvent } from './store-commands'

/** Any event of the past, once more. */
export function deliver(index: number): Command {
  return command(
    `event ${index}`,
    async (model, play) => {
      const its = new Set(model.orders.map(({ id }) => id))
      const all = (await eventsAt(play.stand.sandbox.url)).filter(({ data }) => its.has(orderOf(data.object) ?? ''))
      if (all.length === 0) return
      const { body, signature } = await signed(pick(all, index))
      const worker = play.worker(model)
      const told = await worker.payments.readEvent(body, signature)
      if (!told) throw new Error('A genuine event was refused')
      await handleWebhookEvent(worker, told).catch((error: unknown) => {
        if (!play.crashed) throw error
      })
      await play.look(model, {})
    },
    hasOrders,
  )
}

export const house = command('house', async (model, play) => {
  const now = play.stand.clock.now()
  await runScheduledTasks(play.worker(model)).catch((error: unknown) => {
    if (!play.crashed) throw error
  })
  await play.look(model, { cancel: ({ holdUntil }) => holdUntil > 0 && holdUntil <= now })
})

export function wait(length: number): Command {
  return command(`wait ${length} hours`, (_model, play) => {
    play.stand.clock.pass(length * hours)
    return Promise.resolve()
  })
}

export function doom(effect: number, side: 'before' | 'after'): Command {
  return command(`crash ${side} effect ${effect} of the next command`, (model) => {
    model.doomed = { at: effect, side }
    return Promise.resolve()
  })
}

export const reprice = (which: number, price: number) =>
  command(`reprice ${which} to ${price}`, (_model, play) => play.stand.reprice(play.instruments[which]!, price))

export const restock = (which: number, pieces: number) =>
  command(`restock ${which} by ${pieces}`, async (model, play) => {
    await play.stand.restock(play.instruments[which]!, pieces)
    await play.look(model, {})
  })

export const remove = (which: number) =>
  command(`remove ${which}`, async (model, play) => {
    model.onSale.delete(play.instruments[which]!)
    await play.stand.remove(play.instruments[which]!)
  })
