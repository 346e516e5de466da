import type { ReactNode } from 'react'
import type { FormState } from './form-state'

interface FoldProps {
  title: string
  /** Of the form around it: an error in one of `fields` opens the fold. */
  form: FormState
  fields: RegExp
  isOpen: boolean
  children: ReactNode
}

/** A group of a long form. */
export function Fold({ title, form, fields, isOpen, children }: FoldProps) {
  return (
    <details className="fold" open={isOpen || form.fieldErrors.some(({ name }) => fields.test(name))}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
