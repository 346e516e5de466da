import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'

/**
 * For a route with a form: when the line breaks, or the shop answers nothing that can be read, the page stays as it is, what was
 * typed and the form's number with it, and says so beside the button (R43). Sent again, it is the same submission.
 */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const typed = Object.fromEntries(await request.clone().formData())
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response || isRouteErrorResponse(error)) throw error
    const message = 'Could not reach the shop. Try again.'
    // A response, so that its status counts: Remix loads the page's data again after any other answer.
    return Response.json({ lastResult: { initialValue: typed, error: { '': [message] } } }, { status: 503 })
  }
}
