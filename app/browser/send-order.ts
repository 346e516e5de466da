import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'
import { clientAction as sendOrLose } from './lost-connection'
import { forgetOrder, storeOrder } from './unsent-order'

/** Stores the order before it is sent: the browser may be closed before the shop has answered. */
export async function sendOrder(args: ClientActionFunctionArgs) {
  const form = Object.fromEntries(await args.request.clone().formData()) as Record<string, string>
  const { restoredSubmissionId, ...fields } = form
  if (restoredSubmissionId) fields.submissionId = restoredSubmissionId
  const order = { path: location.pathname.replace(/^\/de(?=\/)/, ''), at: Date.now(), fields }
  storeOrder(order)
  try {
    const result: unknown = await sendOrLose(args)
    // Only a lost connection is a Response.
    if (!(result instanceof Response)) forgetOrder(order)
    return result
  } catch (answer) {
    if (isFinal(answer)) forgetOrder(order)
    throw answer
  }
}

/** Not a fault of the shop, and not the way to log in. */
function isFinal(answer: unknown): boolean {
  if (answer instanceof Response) return !/^(\/de)?\/login/.test(answer.headers.get('location') ?? '')
  return isRouteErrorResponse(answer) && answer.status < 500
}
