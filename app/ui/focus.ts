import { useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** After a form is submitted by script: focuses the first error, or the heading if the button is gone. */
export function useFocusAfterForms(): void {
  const { state } = useNavigation()
  const posted = useRef(false)

  useEffect(() => {
    const remember = ({ target }: SubmitEvent) => {
      posted.current = (target as HTMLFormElement).method === 'post'
    }
    document.addEventListener('submit', remember)
    return () => document.removeEventListener('submit', remember)
  }, [])

  useEffect(() => {
    if (state !== 'idle' || !posted.current) return
    posted.current = false
    const error = document.querySelector('main [aria-invalid]') ?? document.querySelector('main [role=alert]')
    if (error) focusOn(error)
    else if (document.activeElement === document.body) focusOn(document.querySelector('h1'))
  }, [state])
}

export function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus()
}
