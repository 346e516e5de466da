import type fc from 'fast-check'
import { Client, type Outcome } from './client'
import type { Model, Play } from './model'

export type Command = fc.AsyncCommand<Model, Play>
type Run = (model: Model, play: Play) => Promise<void>

export function command(name: string, run: Run, check: (model: Model) => boolean = () => true): Command {
  return {
    check: (model) => check(model),
    run: async (model, play) => {
      play.steps.push(name.split(' ')[0]!)
      await run(model, play)
    },
    toString: () => name,
  }
}

/** Requires how something went, unless the worker died over it. */
export function expectOutcome(play: Play, outcome: Outcome<unknown>, expected: boolean | 'either', what: string): void {
  if (play.crashed || expected === 'either') return
  if (outcome.how === 'unsure') throw outcome.error
  if ((outcome.how === 'done') !== expected) throw new Error(`${what}: expected ${expected}, got ${outcome.how}`)
}

export const pick = <T>(items: T[], index: number): T => items[index % items.length]!
export const hasOrders = (model: Model) => model.orders.length > 0
export const at = (play: Play, model: Model, customer: number) =>
  new Client(play.worker(model), play.stand.history, play.people[customer]!)
