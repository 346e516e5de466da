import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  name: string
  errors?: string[] | null
  hint?: ReactNode
  /** Makes it a text area of this many rows. */
  rows?: number
}

/** A labelled text field with its hint and its errors beside it. Without an id, the name is the id. */
export function Field({ label, name, id = name, errors, hint, rows, ...rest }: FieldProps) {
  const error = errors?.[0]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const control = { ...rest, id, name, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows ? (
        <textarea rows={rows} {...(control as unknown as TextareaHTMLAttributes<HTMLTextAreaElement>)} />
      ) : (
        <input {...control} />
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
