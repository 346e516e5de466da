import type { AppLoadContext } from '@remix-run/cloudflare'
import { scopes, type Scope } from '../../app/store/integrations/scopes'
import { Client, outcomeOf, type Outcome } from './client'
import { command, expectOutcome, hasOrders, isAdminNow, isPaid, pick, type By, type Command } from './command'
import type { KeySeen, Model, ModelSession } from './model'
import { callByKey, changeStock, createApiKey, findSeen, revokeApiKey } from './store-commands'

const hasKeys = (model: Model) => model.keys.length > 0 && hasOrders(model)

/** For a day: waiting ends some. */
export function makeKey(by: By, granted: Scope[]): Command {
  return command(`key of ${by} for ${granted.join(' ')}`, async (model, session) => {
    const [worker, admin] = [session.worker(model), session.staff[by]]
    const form = { name: 'stress', scopes: granted, days: 1, submissionId: crypto.randomUUID() }
    const outcome = await outcomeOf(() => createApiKey(worker, admin, form))
    expectOutcome(session, outcome, isAdminNow(model, by), 'make a key')
    if (outcome.how === 'done') model.keys.push({ ...outcome.value, by, scopes: granted, isEnded: false })
    await session.look(model, {})
  })
}

/** The second admin may end those of the first. */
export function revokeKey(index: number): Command {
  return command(
    `revoke key ${index}`,
    async (model, session) => {
      const key = pick(model.keys, index)
      const id = key.key.slice(4, 20)
      await outcomeOf(() => revokeApiKey(session.worker(model), session.staff[0], id))
      const [row] = await session.env.query(`SELECT count(*) AS left FROM api_keys WHERE id = '${id}'`)
      if (row!.left === 0) key.isEnded = true
      else if (!session.crashed) throw new Error(`key ${index} is still there`)
    },
    hasKeys,
  )
}

/** As the API does it: the key is checked, with the scope of the call, before its admin acts. */
async function byKey<T>(
  model: Model,
  session: ModelSession,
  { key, scope, act }: { key: KeySeen; scope: Scope; act: (client: Client) => Promise<Outcome<T>> },
): Promise<{ outcome: Outcome<T>; mayCall: boolean }> {
  const worker = session.worker(model)
  const context = { ...worker, requestId: 'stress' } as unknown as AppLoadContext
  const mayCall = !key.isEnded && session.env.clock.now() < key.expiresAt && key.scopes.includes(scope)
  const caller = await outcomeOf(() => callByKey(context, { scope }, { key: key.key, use: null }))
  expectOutcome(session, caller, mayCall, `call ${scope}`)
  if (caller.how !== 'done') return { outcome: caller, mayCall: false }
  return { outcome: await act(new Client(worker, session.env.history, caller.value.caller)), mayCall }
}

export function readByKey(which: number, index: number): Command {
  return command(
    `read ${index} by key ${which}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const { outcome, mayCall } = await byKey(model, session, {
        ...{ key: pick(model.keys, which), scope: 'orders:read' },
        act: (client) => client.readOrder(target.id),
      })
      expectOutcome(session, outcome, mayCall && target.state !== 'cancelled', 'read by key')
    },
    hasKeys,
  )
}

export function shipByKey(which: number, index: number): Command {
  return command(
    `ship ${index} by key ${which}`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const { outcome, mayCall } = await byKey(model, session, {
        ...{ key: pick(model.keys, which), scope: 'orders:ship' },
        act: (client) => client.ship(target.id),
      })
      const isExpected = mayCall && target.state === 'paid' && target.returned < target.quantity
      expectOutcome(session, outcome, isExpected, 'ship by key')
      await session.look(model, mayCall ? { ship: target.id } : {})
    },
    hasKeys,
  )
}

/** `presses` with the same Idempotency-Key, at the same time. */
export function refundByKey(which: number, index: number, presses: number): Command {
  return command(
    `refund ${index} by key ${which}, ${presses} times`,
    async (model, session) => {
      const target = pick(model.orders, index)
      const amount = Math.max(1, Math.floor(target.total / 5))
      const form = { amount, submission: crypto.randomUUID() }
      const { outcome, mayCall } = await byKey(model, session, {
        ...{ key: pick(model.keys, which), scope: 'orders:refund' },
        act: async (client) => {
          const outcomes = await Promise.all(Array.from({ length: presses }, () => client.refund(target.id, form)))
          return outcomes.find(({ how }) => how !== 'done') ?? outcomes[0]!
        },
      })
      const fits = amount <= target.total - target.refunded
      const expected = mayCall && isPaid(target) && fits && (model.elsewhere.has(target.id) ? 'either' : true)
      expectOutcome(session, outcome, expected, 'refund by key')
      const sums = { refunded: target.refunded + amount, returned: target.returned }
      await session.look(model, { ...(expected && { refund: { id: target.id, ...sums } }), learn: true })
    },
    hasKeys,
  )
}

/** Two deliveries at the same time by whoever has read the same: one counts. `isOld`: read when the session began. */
export function stockByKey(which: number, index: number, isOld: boolean): Command {
  return command(
    `stock of ${index} by key ${which} as it was ${isOld ? 'at first' : 'just now'}`,
    async (model, session) => {
      const instrument = session.instruments[index]!
      const now = (await findSeen(session.env.worker(), instrument))?.seen ?? null
      const seen = isOld ? session.firstSeen.get(instrument)! : now
      const before = model.stock.get(instrument)!
      const { outcome, mayCall } = await byKey(model, session, {
        ...{ key: pick(model.keys, which), scope: 'catalogue:write' },
        act: async ({ worker, who }) => {
          const deliver = () => {
            const delivery = {
              pieces: 1,
              direction: 'in',
              reason: 'stress',
              submissionId: crypto.randomUUID(),
            } as const
            return outcomeOf(() => changeStock(worker, who, instrument, { ...delivery, seen }))
          }
          const outcomes = await Promise.all([deliver(), deliver()])
          const done = outcomes.filter(({ how }) => how === 'done')
          if (done.length > 1) throw new Error(`both changed ${instrument} as they had seen it`)
          return done[0] ?? outcomes.find(({ how }) => how === 'unsure') ?? outcomes[0]
        },
      })
      const expected = mayCall && model.onSale.has(instrument) && seen === now
      expectOutcome(session, outcome, expected, 'stock by key')
      await session.look(model, {})
      const more = model.stock.get(instrument)! - before
      const isRight = session.crashed && expected ? more <= 1 : more === (expected ? 1 : 0)
      if (!isRight) throw new Error(`${instrument} has ${more} more`)
    },
    hasKeys,
  )
}

export const grants: Scope[][] = [[...scopes], ['orders:read', 'orders:ship'], ['orders:refund'], ['catalogue:write']]
