import Stripe from 'stripe'
import { allowOnly, textAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { listOf, listPatterns, pageOf } from './lists'
import type { Account, ObjectOf, WebhookEvent } from '../core/types'

export function newEvent<T extends WebhookEvent['type']>(
  account: Account,
  type: T,
  object: ObjectOf<T>,
  request: Stripe.Event.Request | null,
): WebhookEvent {
  const event = {
    id: newId('evt_'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: seconds(account),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request,
    type,
  } satisfies Stripe.EventBase
  // TypeScript cannot carry the tie between type and object into the union.
  return event as unknown as WebhookEvent
}

export function listEvents(account: Account, form: Form): Stripe.ApiList<Stripe.Event> {
  allowOnly(form, [...listPatterns, 'type'])
  const type = textAt(form, 'type')
  const events = [...account.events.values()]
    .filter(({ event }) => type === undefined || event.type === type)
    .map(({ event, delivery }) => ({ ...event, pending_webhooks: delivery === 'delivered' ? 0 : 1 }))
  const { page, hasMore } = pageOf(events, form, 'event')
  return listOf('/v1/events', page, hasMore)
}
