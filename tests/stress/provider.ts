import Stripe from 'stripe'
import { stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'

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

export async function eventsAt(sandboxUrl: string): Promise<Stripe.Event[]> {
  const all: Stripe.Event[] = []
  for await (const event of stripeAt(sandboxUrl).events.list({ limit: 100 })) all.push(event)
  return all.reverse()
}

export async function misbehave(sandboxUrl: string, faults: object | null): Promise<void> {
  const response = await fetch(`${sandboxUrl}/faults`, {
    method: faults ? 'POST' : 'DELETE',
    headers: { 'content-type': 'application/json' },
    ...(faults ? { body: JSON.stringify(faults) } : {}),
  })
  if (!response.ok) throw new Error(`The sandbox refused the faults: ${await response.text()}`)
}

export function orderOf(object: object): string | null {
  const { metadata } = object as { metadata?: Record<string, string> | null }
  return metadata?.order ?? null
}
