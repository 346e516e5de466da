import { useLocation } from '@remix-run/react'
import { createContext, useContext } from 'react'
import type { FormState } from './form-state'
import { useHydrated } from '../browser/use-hydrated'

/** False for text browsers, which restore nothing and would show the select. Scripts run in no such browser. */
export const RestoresFieldsContext = createContext(true)

/**
 * The idempotency key of a form (R43). On Back, browsers that reload the page restore a select but no hidden input, so
 * the select holds the id that the form was filled in with.
 */
export function SubmissionId({ form, issued }: { form: FormState; issued: string[] }) {
  const ids = form.submissionId ? [form.submissionId] : issued
  const restoresFields = useContext(RestoresFieldsContext)
  return (
    <>
      <input type="hidden" name="submissionId" value={ids[0]} />
      {restoresFields && (
        <select key={ids[0]} name="restoredSubmissionId" hidden>
          {ids.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      )}
    </>
  )
}

/**
 * Without scripts, the form posts to another URL than the page's: after a network error at the same URL, the browser's
 * error page would replace the form in the history.
 */
export function sendTo({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search)
  if (query.has('send')) query.delete('send')
  else query.set('send', '')
  return `${pathname}?${query.toString()}`.replace(/[?=]$/, '')
}

export function useSendTo(): string | undefined {
  const location = useLocation()
  return useHydrated() ? undefined : sendTo(location)
}
