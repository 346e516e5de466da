import { useLocation } from '@remix-run/react'
import type { FormState } from './form-state'
import { useHydrated } from './use-hydrated'

/**
 * The number of a form that creates something (R43): of the submissions `issued` the first, or when the form is shown again, the
 * one that it was sent with. Browsers that load the page anew on Back restore what was selected, but no hidden field: so the
 * select brings back the number that the form had when it was filled in.
 */
export function SubmissionId({ form, issued }: { form: FormState; issued: string[] }) {
  const ids = form.submissionId ? [form.submissionId] : issued
  return (
    <>
      <input type="hidden" name="submissionId" value={ids[0]} />
      <select key={ids[0]} name="restoredSubmissionId" hidden>
        {ids.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </>
  )
}

/**
 * Where a form that creates something is sent from this page without scripts: to another address than the page's own. When the line
 * breaks, browsers show their error page in the place of a page that has the address that was sent to, and Back would lead past
 * the form.
 */
export function sendTo({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search)
  if (query.has('send')) query.delete('send')
  else query.set('send', '')
  return `${pathname}?${query.toString()}`.replace(/[?=]$/, '')
}

/** The same on a page with scripts: with them it stays, and the form is sent to the page's own address. */
export function useSendTo(): string | undefined {
  const location = useLocation()
  return useHydrated() ? undefined : sendTo(location)
}
