import type fc from 'fast-check'
import { Client, type Outcome } from './client'
import type { Model, ModelSession, OrderSeen } from './model'

export type Command = fc.AsyncCommand<Model, ModelSession>
type Run = (model: Model, session: ModelSession) => Promise<void>

export function command(name: string, run: Run, check: (model: Model) => boolean = () => true): Command {
  return {
    check: (model) => check(model),
    run: async (model, session) => {
      session.steps.push(name.split(' ')[0]!)
      await run(model, session)
    },
    toString: () => name,
  }
}

export function expectOutcome(
  session: ModelSession,
  outcome: Outcome<unknown>,
  expected: boolean | 'either',
  what: string,
): void {
  if (session.crashed || expected === 'either') return
  if (outcome.how === 'unsure') throw outcome.error
  if ((outcome.how === 'done') !== expected) throw new Error(`${what}: expected ${expected}, got ${outcome.how}`)
}

export const pick = <T>(items: T[], index: number): T => items[index % items.length]!
export const isPaid = ({ state }: OrderSeen) => state === 'paid' || state === 'shipped'
export const hasOrders = (model: Model) => model.orders.length > 0
export const at = (session: ModelSession, model: Model, customer: number) =>
  new Client(session.worker(model), session.env.history, session.customers[customer]!)
/** The admin, the second one, who loses the role and gets it back, and the clerk. */
export type By = 0 | 1 | 2
export const staff = (session: ModelSession, model: Model, by: By) =>
  new Client(session.worker(model), session.env.history, session.staff[by])
export const isAdminNow = ({ isAdmin }: Model, by: By) => by === 0 || (by === 1 && isAdmin)
