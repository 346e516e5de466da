import { useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** After a form is submitted by script: focuses the first error, or a replacement if the button is gone. */
export function useFocusAfterForms(): void {
  const { state } = useNavigation()
  const posted = useRef(false)
  const cell = useRef<Element | null>(null)
  const index = useRef(0)

  useEffect(() => {
    const remember = ({ target, submitter }: SubmitEvent) => {
      posted.current = (target as HTMLFormElement).method === 'post'
      // A dialog's button is in no row: keep the row that opened the dialog.
      if (submitter?.closest('dialog')) return
      const td = submitter?.closest('td') ?? null
      cell.current = td
      index.current = td?.closest('tr')?.sectionRowIndex ?? 0
    }
    document.addEventListener('submit', remember)
    return () => document.removeEventListener('submit', remember)
  }, [])

  useEffect(() => {
    if (state !== 'idle' || !posted.current) return
    posted.current = false
    const error = document.querySelector('main [aria-invalid]') ?? document.querySelector('main [role=alert]')
    if (error) focusOn(error)
    else if (document.activeElement === document.body) focusOn(successor(cell.current, index.current))
  }, [state])
}

function successor(cell: Element | null, index: number): Element | null {
  if (cell?.isConnected) return cell.querySelector('a, button') ?? cell
  const rows = document.querySelector<HTMLTableSectionElement>('main tbody')?.rows
  return rows?.[Math.min(index, rows.length - 1)]?.querySelector('th') ?? document.querySelector('h1')
}

export function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus()
}
