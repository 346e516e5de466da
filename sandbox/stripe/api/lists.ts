import type Stripe from 'stripe'
import { integerAt, textAt, textsAt, type Form } from '../core/form'
import { invalid, missing } from '../core/refusal'

export const listPatterns = ['limit', 'starting_after']

/** Newest first, from objects in order of creation. */
export function pageOf<T extends { id: string }>(objects: T[], form: Form, what: string) {
  const limit = integerAt(form, 'limit', 1) ?? 10
  if (limit > 100) {
    throw invalid('This value must be less than or equal to 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const cursor = textAt(form, 'starting_after')
  const all = objects.toReversed()
  const index = all.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && index === -1) throw missing(what, cursor, 'starting_after')
  const start = index + 1
  return { page: all.slice(start, start + limit), hasMore: start + limit < all.length }
}

export function listOf<T>(url: string, data: T[], hasMore: boolean): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

type Expansions<T> = Record<string, (one: T) => T>

export function expanderAt<T>(form: Form, expansions: Expansions<T>): (one: T) => T {
  const names = textsAt(form, 'expand') ?? []
  const unknown = names.find((name) => !Object.hasOwn(expansions, name))
  if (unknown !== undefined) throw invalid(`This property cannot be expanded (${unknown}).`, { param: 'expand' })
  return (one) => names.reduce((expanded, name) => expansions[name]!(expanded), one)
}
