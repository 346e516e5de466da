import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'

/** On a network error the form keeps its values and its submission id, so that a retry is the same submission (R43). */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const values = Object.fromEntries(await request.clone().formData())
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response || isRouteErrorResponse(error)) throw error
    const message = 'Could not reach the shop. Try again.'
    // A Response with an error status, or Remix would revalidate the loaders.
    return Response.json({ lastResult: { initialValue: values, error: { '': [message] } } }, { status: 503 })
  }
}
