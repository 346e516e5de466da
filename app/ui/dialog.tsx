import type { ReactNode } from 'react'
import { ButtonLink } from './button'

/** `modal-dialog.ts`, inline in the page, makes it modal (R32); without scripts it stands open over the page. */
export function Dialog({ title, children }: { title: string; children: ReactNode }) {
  return (
    <dialog open aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}

/** Has the focus, so that a stray key press does no harm. */
export function CancelLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog must have the focus
    <ButtonLink variant="quiet" href={href} autoFocus data-cancel>
      {children}
    </ButtonLink>
  )
}
