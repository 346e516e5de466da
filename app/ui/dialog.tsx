import { Link } from '@remix-run/react'
import { useCallback, useRef, type ReactNode } from 'react'

interface DialogProps {
  title: string
  children: ReactNode
  /** Leads to the page without the dialog, when it is closed without a decision. */
  onClose: () => void
}

/**
 * A question before the page. Without scripts it stands open on the page; with them it is modal: it takes the focus, keeps
 * it, and gives it back (R32).
 */
export function Dialog({ title, children, onClose }: DialogProps) {
  const shown = useRef<HTMLDialogElement | null>(null)
  // A ref and not an effect: it hears of the end while the element is still on the page, and can give the focus back.
  const show = useCallback((element: HTMLDialogElement | null) => {
    shown.current?.close()
    shown.current = element
    element?.close()
    element?.showModal()
    // React leaves the attribute away on a page that is changed in the browser.
    element?.querySelector<HTMLElement>('[data-way-out]')?.focus()
  }, [])
  return (
    <dialog
      ref={show}
      open
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}

/** The answer that changes nothing. It has the focus, so that a key pressed without a thought does no harm. */
export function WayOut({ to, children }: { to: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-autofocus -- in front of a question the focus has to stand somewhere
    <Link className="button button-quiet" to={to} preventScrollReset autoFocus data-way-out>
      {children}
    </Link>
  )
}
