import { Link } from '@remix-run/react'
import { useCallback, useRef, type ReactNode } from 'react'

interface DialogProps {
  title: string
  children: ReactNode
  onClose: () => void
}

/** Open on the page without scripts; modal with scripts: it traps and restores the focus (R32). */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement | null>(null)
  // A callback ref, not an effect: on unmount the element is still in the document, so close() restores the focus.
  const show = useCallback((element: HTMLDialogElement | null) => {
    dialog.current?.close()
    dialog.current = element
    element?.close()
    element?.showModal()
    // React does not render `autofocus` in the browser.
    element?.querySelector<HTMLElement>('[data-cancel]')?.focus()
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

/** Has the focus, so that a stray key press does no harm. */
export function CancelLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-autofocus -- a dialog must have the focus
    <Link className="button button-quiet" to={to} preventScrollReset autoFocus data-cancel>
      {children}
    </Link>
  )
}
