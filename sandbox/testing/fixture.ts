import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, onTestFinished } from 'vitest'
import { stripeSecretKey, stripeWebhookSecret } from '../keys'
import { startSandbox, type SandboxOptions } from '../serve'
import type { LedgerEntry } from '../stripe/core/types'

export async function openSandbox(options: Partial<SandboxOptions> = {}) {
  const log: string[] = []
  const sandbox = await startSandbox({
    port: 0,
    webhookUrl: 'http://127.0.0.1:9/nobody',
    log: (line) => log.push(line),
    ...options,
  })
  onTestFinished(() => sandbox.stop())
  const { url } = sandbox
  const send = (method: string, path: string, body?: unknown) =>
    fetch(url + path, { method, body: body === undefined ? undefined : JSON.stringify(body) })

  return {
    url,
    log,
    stop: () => sandbox.stop(),
    stripe: stripeClient(url),
    fault: async (body: unknown) => expect((await send('POST', '/faults', body)).status).toBe(200),
    send,
    ledger: async () => await (await send('GET', '/ledger')).json<LedgerEntry[]>(),
  }
}

export function stripeClient(url: string, key = stripeSecretKey): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
}

export async function openShop() {
  const events: Stripe.Event[] = []
  const signedAt: number[] = []
  const statuses: number[] = []
  const { webhooks } = new Stripe(stripeSecretKey)
  const server = createServer((request, response) => {
    void (async () => {
      const chunks = (await request.toArray()) as Buffer[]
      const signature = request.headers['stripe-signature'] ?? ''
      // Throws on a wrong signature: the event is then not received.
      events.push(await webhooks.constructEventAsync(Buffer.concat(chunks), signature, stripeWebhookSecret))
      signedAt.push(Number(/t=(\d+)/.exec(String(signature))?.[1]))
      response.writeHead(statuses.shift() ?? 200).end()
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    events,
    signedAt,
    statuses,
    types: () => events.map(({ type }) => type),
  }
}

export async function stripeError(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error(`Expected a refusal of Stripe's, not ${String(error)}`)
}

export const violins = {
  mode: 'payment',
  line_items: [
    { quantity: 2, price_data: { currency: 'usd', unit_amount: 61_725, product_data: { name: 'Concert Violin 4/4' } } },
  ],
  client_reference_id: 'order-1',
  customer_email: 'ada@example.com',
  metadata: { order: 'order-1' },
  payment_intent_data: { metadata: { order: 'order-1' } },
  success_url: 'http://127.0.0.1:8788/paid?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://127.0.0.1:8788/unpaid',
} satisfies Stripe.Checkout.SessionCreateParams

export function payOnPage(page: string, card: Partial<Record<string, string>> = {}): Promise<Response> {
  const fields = {
    cardNumber: '4242 4242 4242 4242',
    cardExpiry: '12 / 34',
    cardCvc: '123',
    billingName: 'Ada',
    ...card,
  }
  return fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** What a payment intent is created with, in cents. */
export const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card' as const] }
