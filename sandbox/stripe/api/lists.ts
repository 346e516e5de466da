import type Stripe from 'stripe'
import { integerAt, textAt, textsAt, type Form } from '../core/form'
import { invalid, missing } from '../core/refusal'

const bounds = ['gt', 'gte', 'lt', 'lte'] as const

export const listPatterns = [
  'limit',
  'starting_after',
  'ending_before',
  'created',
  ...bounds.map((bound) => `created[${bound}]`),
]

export function pageOf<T extends { id: string; created: number }>(found: T[], form: Form, what: string) {
  const limit = integerAt(form, 'limit', 1) ?? 10
  if (limit > 100) {
    throw invalid('This value must be less than or equal to 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const after = textAt(form, 'starting_after')
  const before = textAt(form, 'ending_before')
  const all = found.filter(createdWithin(form)).reverse()
  const position = (id: string, param: string) => {
    const index = all.findIndex((one) => one.id === id)
    if (index === -1) throw missing(what, id, param)
    return index
  }
  if (before !== undefined) {
    const end = position(before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { page: all.slice(start, end), hasMore: start > 0 }
  }
  const start = after === undefined ? 0 : position(after, 'starting_after') + 1
  return { page: all.slice(start, start + limit), hasMore: start + limit < all.length }
}

function createdWithin(form: Form): (one: { created: number }) => boolean {
  if (typeof form.created === 'string') {
    const exactly = integerAt(form, 'created')
    return ({ created }) => created === exactly
  }
  const [gt, gte, lt, lte] = bounds.map((bound) => integerAt(form, `created[${bound}]`))
  return ({ created }) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
}

export function listOf<T>(url: string, data: T[], hasMore: boolean): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

type Expansions<T> = Record<string, (one: T) => T>

export function expanding<T>(form: Form, expansions: Expansions<T>, prefix = ''): (one: T) => T {
  const names = (textsAt(form, 'expand') ?? []).map((path) => {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : ''
    if (!Object.hasOwn(expansions, name)) {
      throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
    }
    return name
  })
  return (one) => names.reduce((expanded, name) => expansions[name]!(expanded), one)
}
