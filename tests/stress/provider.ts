import Stripe from 'stripe'
import { stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'

/** Stripe's own library, at a sandbox, as nobody but a test uses it. */
export function stripeAt(sandboxUrl: string): Stripe {
  const { hostname, port } = new URL(sandboxUrl)
  return new Stripe(stripeSecretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
}

export interface SignedEvent {
  body: string
  signature: string
}

export function signed(payload: unknown, { secret = stripeWebhookSecret, age = 0 } = {}): Promise<SignedEvent> {
  const body = JSON.stringify(payload)
  const timestamp = Math.floor(Date.now() / 1000) - age
  return Stripe.webhooks
    .generateTestHeaderStringAsync({ payload: body, secret, timestamp })
    .then((signature) => ({ body, signature }))
}

/** The genuine events so far, the oldest first. */
export async function eventsAt(sandboxUrl: string): Promise<Stripe.Event[]> {
  const all: Stripe.Event[] = []
  for await (const event of stripeAt(sandboxUrl).events.list({ limit: 100 })) all.push(event)
  return all.reverse()
}

/** Changes how the sandbox misbehaves; `null` makes it behave again. */
export async function misbehave(sandboxUrl: string, faults: object | null): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/faults`, {
    method: faults ? 'POST' : 'DELETE',
    headers: { 'content-type': 'application/json' },
    ...(faults ? { body: JSON.stringify(faults) } : {}),
  })
  if (!answer.ok) throw new Error(`The sandbox refused the faults: ${await answer.text()}`)
}

/** The order that something at the provider was made for, as we told it. */
export function orderOf(object: object): string | null {
  const { metadata } = object as { metadata?: Record<string, string> | null }
  return metadata?.order ?? null
}
