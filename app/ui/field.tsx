import { useState, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  name: string
  errors?: string[] | null
  hint?: ReactNode
  rows?: number
}

/** With scripts, the error disappears when the user edits the field. */
export function Field({ label, name, id = name, errors, hint, rows, ...rest }: FieldProps) {
  const [dismissedErrors, setDismissedErrors] = useState<FieldProps['errors']>()
  const error = errors === dismissedErrors ? undefined : errors?.[0]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const control = {
    ...rest,
    id,
    name,
    onInput: () => setDismissedErrors(errors),
    'aria-describedby': describedBy,
    'aria-invalid': error ? true : undefined,
  }
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
