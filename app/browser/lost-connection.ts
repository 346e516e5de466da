import { isRouteErrorResponse, type ClientActionFunctionArgs } from '@remix-run/react'
import { t } from '../i18n/language'

/** No response within this time counts as lost: the shop itself gives up on a provider sooner. */
const patienceMs = 30_000
/** A file takes its time: 256 kbit/s. */
const bytesPerMs = 32

/** On a network error the form keeps its values and its submission id, so that a retry is the same submission (R43). */
export async function clientAction(
  { request, serverAction }: ClientActionFunctionArgs,
  read = (form: FormData) => form,
) {
  const form = read(await request.clone().formData())
  const values = Object.fromEntries(form)
  const bytes = [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? 0 : value.size), 0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No response')), patienceMs + bytes / bytesPerMs)
  })
  try {
    return await Promise.race([serverAction(), stalled])
  } catch (error) {
    if (error instanceof Response || isRouteErrorResponse(error)) throw error
    const message = t('Could not reach the shop. Try again')
    // A Response with an error status, or Remix would revalidate the loaders.
    return Response.json({ lastResult: { initialValue: values, error: { '': [message] } } }, { status: 503 })
  } finally {
    clearTimeout(timer)
  }
}
