import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { accept, wrongMethod } from '../../http/api.server'
import { PaymentWish, requestPayment } from '../../store/paying.server'

export function loader() {
  return wrongMethod('POST')
}

/** POST /create-payment-intent: what the card form needs to have an order paid (R16). */
export function action({ request, context }: ActionFunctionArgs) {
  if (request.method !== 'POST') return wrongMethod('POST')
  return accept({ request, context, schema: PaymentWish }, (wish, caller) => requestPayment(context, caller, wish))
}
