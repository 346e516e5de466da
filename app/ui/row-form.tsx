import type { ReactNode } from 'react'
import { formErrorId } from './form-error'

interface RowFormProps {
  fields: Record<string, string | undefined>
  action?: string
  className?: string
  children: ReactNode
}

/**
 * A form in a row of a list, for pages without scripts: a refusal stands in the row, where the browser scrolls to it and
 * focuses it. By the fragment the URL differs from the page's: after a network error, Back shows the list again.
 */
export function RowForm({ fields, action = '', className, children }: RowFormProps) {
  return (
    <form className={className} method="post" action={`${action}#${formErrorId}`}>
      {Object.entries(fields).map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}

/** What the action of a row leads back to. */
export function RowName({ id, children }: { id: string; children: ReactNode }) {
  return (
    <span id={id} tabIndex={-1}>
      {children}
    </span>
  )
}
