import { useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/**
 * What a browser does when it loads a page, for forms that are sent by script: after a refusal the first mistake has the focus
 * and is on the screen; and where the pressed button has gone, the focus stands in its place and not on nothing.
 */
export function useFocusAfterForms(): void {
  const { state } = useNavigation()
  const posted = useRef(false)
  const cell = useRef<Element | null>(null)
  const index = useRef(0)

  useEffect(() => {
    const remember = ({ target, submitter }: SubmitEvent) => {
      posted.current = (target as HTMLFormElement).method === 'post'
      // A dialog stands in no row: what it asks was asked from one.
      const pressed = submitter?.closest('td')
      if (!pressed) return
      cell.current = pressed
      index.current = pressed.closest('tr')!.sectionRowIndex
    }
    document.addEventListener('submit', remember)
    return () => document.removeEventListener('submit', remember)
  }, [])

  useEffect(() => {
    if (state !== 'idle' || !posted.current) return
    posted.current = false
    const mistake = document.querySelector('main :is([aria-invalid], [role=alert])')
    if (mistake) focusOn(mistake)
    else if (document.activeElement === document.body) focusOn(successor(cell.current, index.current))
  }, [state])
}

/** What the button's cell has now; where its row has gone, the name of the row in its place; else the heading. */
function successor(cell: Element | null, index: number): Element | null {
  if (cell?.isConnected) return cell.querySelector('a, button') ?? cell
  const rows = document.querySelector<HTMLTableSectionElement>('main tbody')?.rows
  return rows?.[Math.min(index, rows.length - 1)]?.querySelector('th') ?? document.querySelector('h1')
}

function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus()
}
