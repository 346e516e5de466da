import { useState, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  name: string
  errors?: string[] | null
  hint?: ReactNode
  /** Makes it a text area of this many rows. */
  rows?: number
}

/**
 * A labelled text field with its hint and its errors beside it. Without an id, the name is the id. With scripts, an error goes as
 * soon as the field is edited: whether it is right now, the next submission says.
 */
export function Field({ label, name, id = name, errors, hint, rows, ...rest }: FieldProps) {
  const [edited, setEdited] = useState<FieldProps['errors']>()
  const error = errors === edited ? undefined : errors?.[0]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const control = {
    ...rest,
    id,
    name,
    onInput: () => setEdited(errors),
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
