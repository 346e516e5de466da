import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { accept, wrongMethod } from '../../http/api.server'
import { sendWaitingMail } from '../../store/outbox.server'
import { confirmPayment, PaymentNews } from '../../store/paying.server'

export function loader() {
  return wrongMethod('PATCH')
}

/** PATCH /order/{id}: go and look whether it is paid (R15). */
export function action({ request, params, context }: ActionFunctionArgs) {
  if (request.method !== 'PATCH') return wrongMethod('PATCH')
  return accept({ request, context, schema: PaymentNews }, async (news, caller) => {
    const { modified } = await confirmPayment(context, caller, params.id ?? '', news)
    context.later(() => sendWaitingMail(context))
    return { acknowledged: true, modifiedCount: modified ? 1 : 0 }
  })
}
