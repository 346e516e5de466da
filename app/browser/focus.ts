import { useNavigation } from '@remix-run/react'
import { useEffect, useLayoutEffect, useRef } from 'react'

/** React warns of layout effects on the server. */
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * After a form is submitted by script: focuses the first error, or the heading if the button is gone. Not after the user has
 * gone on to another field: what is typed there would land in the wrong one.
 */
export function useFocusAfterForms(): void {
  const { state } = useNavigation()
  const focusAtPost = useRef<Element | null>(null)

  useEffect(() => {
    const remember = ({ target }: SubmitEvent) => {
      focusAtPost.current = (target as HTMLFormElement).method === 'post' ? document.activeElement : null
    }
    document.addEventListener('submit', remember)
    return () => document.removeEventListener('submit', remember)
  }, [])

  useEffectBeforePaint(() => {
    const before = focusAtPost.current
    if (state !== 'idle' || !before) return
    focusAtPost.current = null
    const focused = document.activeElement
    if (focused !== before && focused?.matches('input, textarea, select')) return
    const error = document.querySelector('main [aria-invalid]') ?? document.querySelector('main [role=alert]')
    if (error) focusOn(error)
    else if (focused === document.body) focusOn(document.querySelector('h1'))
  }, [state])
}

export function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  element.closest('details')?.setAttribute('open', '')
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus()
}
