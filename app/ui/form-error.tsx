import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { focusOn } from '../browser/focus'
import type { FormState } from './form-state'
import { t } from '../i18n/language'

export const formErrorId = 'form-error'

/** Errors of the form as a whole, beside its button. Focusable: see `markError`. */
export function FormError({ errors }: { errors?: string[] | string | null }) {
  const texts = typeof errors === 'string' ? [errors] : (errors ?? [])
  useErrorTitle(texts.length > 0)
  if (texts.length === 0) return null
  return (
    <div id={formErrorId} className="error form-error" role="alert" tabIndex={-1}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

/** First in its form: a link to each invalid field. With scripts, a line disappears when the user edits its field. */
export function ErrorSummary({ form: { fieldErrors } }: { form: FormState }) {
  const summary = useRef<HTMLDivElement>(null)
  const [dismissedErrors, setDismissedErrors] = useState<string[][]>([])
  const shown = fieldErrors.filter(({ errors }) => !dismissedErrors.includes(errors))
  useErrorTitle(shown.length > 0)
  useEffect(() => {
    const form = summary.current?.closest('form')
    const dismiss = ({ target }: Event) => {
      const edited = shown.find(({ name }) => name === (target as HTMLInputElement).name)
      if (edited) setDismissedErrors((before) => [...before, edited.errors])
    }
    form?.addEventListener('input', dismiss)
    return () => form?.removeEventListener('input', dismiss)
  })
  // What was edited before the scripts came: nobody heard its event.
  useEffect(() => {
    const controls = summary.current?.closest('form')?.querySelectorAll<HTMLInputElement>('input, textarea') ?? []
    for (const control of controls)
      if (control.value !== control.defaultValue) control.dispatchEvent(new Event('input', { bubbles: true }))
  }, [])
  if (shown.length === 0) return null
  return (
    <div ref={summary} className="error form-error" role="alert">
      <h2>{t('There is a problem')}</h2>
      <ul>
        {shown.map(({ name, errors }) => (
          <li key={name}>
            <a href={`#${name}`} onClick={focusField}>
              {errors[0]}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Following the link would be a navigation, which forgets the errors. */
function focusField(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault()
  focusOn(document.querySelector(event.currentTarget.hash))
}

/** As `markError` does on the server. Without dependencies: React may have set the title again. */
function useErrorTitle(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return
    markTitle()
    return markTitle
  })
}

function markTitle(): void {
  const mark = `${t('Error:')} `
  const title = document.title.replace(mark, '')
  document.title = document.querySelector('.form-error') ? mark + title : title
}
