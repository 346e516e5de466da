import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { readAtMost } from '../../http/request/body.server'
import { handleWebhookEvent } from '../../store/payments/stripe-events.server'
import { Refusal } from '../../store/shared/refusal'

const maxBytes = 256 * 1024

export function loader() {
  return new Response('This endpoint accepts signed Stripe events.', { status: 405, headers: { allow: 'POST' } })
}

/** Responds 2xx only after the event is stored: otherwise Stripe sends it again. */
export async function action({ request, context }: ActionFunctionArgs) {
  if (request.method !== 'POST') return loader()
  const body = await readAtMost(request, maxBytes)
  if (!body) return new Response('Too large.', { status: 413 })
  const signature = request.headers.get('stripe-signature')
  const event = await context.payments.readEvent(new TextDecoder().decode(body), signature).catch(refusalOf)
  if (!event) return new Response('Invalid signature.', { status: 400 })
  if (event instanceof Refusal) {
    context.report('webhook event unreadable', event)
    return new Response(event.message, { status: 400 })
  }
  await handleWebhookEvent(context, event)
  return Response.json({ received: true })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
