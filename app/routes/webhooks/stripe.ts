import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { readAtMost } from '../../http/body.server'
import { deliverPendingEmails } from '../../store/deliver-email.server'
import { handleWebhookEvent } from '../../store/payments/webhook-events.server'
import { Refusal } from '../../store/refusal'

/** An event has a few kilobytes; what is longer is not one. */
const mostBytes = 256 * 1024

export function loader() {
  return new Response('Signed events are posted here.', { status: 405, headers: { allow: 'POST' } })
}

/** Answers 2xx only after what the event brought is stored: Stripe sends it again otherwise. */
export async function action({ request, context }: ActionFunctionArgs) {
  if (request.method !== 'POST') return loader()
  const body = await readAtMost(request, mostBytes)
  if (!body) return new Response('Too large.', { status: 413 })
  const signature = request.headers.get('stripe-signature')
  const event = await context.payments.readEvent(new TextDecoder().decode(body), signature).catch(orRefusal)
  if (!event) return new Response('The signature is not right.', { status: 400 })
  if (event instanceof Refusal) {
    context.report('reading an event', event)
    return new Response(event.message, { status: 400 })
  }
  await handleWebhookEvent(context, event)
  context.later(() => deliverPendingEmails(context))
  return Response.json({ received: true })
}

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
