import { getInputProps, getTextareaProps } from '@conform-to/react'
import { useState, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'
import { fieldMetadata, type FieldState } from './field-metadata'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'type'>, FieldState {
  label: ReactNode
  type?: 'color' | 'date' | 'email' | 'file' | 'number' | 'password' | 'search' | 'tel' | 'text'
  hint?: ReactNode
  rows?: number
  /** Stands beside the input. */
  after?: ReactNode
}

/** With scripts, the error disappears when the user edits the field. */
export function Field({
  label,
  name,
  id,
  initialValue,
  errors,
  hint,
  rows,
  after,
  type = 'text',
  ...rest
}: FieldProps) {
  const [dismissedErrors, setDismissedErrors] = useState<FieldState['errors'] | 'none'>('none')
  const shown = errors === dismissedErrors ? null : errors
  const metadata = fieldMetadata({ name, id, initialValue, errors: shown })
  const hintId = hint ? `${metadata.id}-hint` : undefined
  const common = { ...rest, onInput: () => setDismissedErrors(errors) }
  const control = rows ? (
    <textarea
      rows={rows}
      {...getTextareaProps(metadata, { ariaDescribedBy: hintId })}
      {...(common as unknown as TextareaHTMLAttributes<HTMLTextAreaElement>)}
    />
  ) : (
    <input {...getInputProps(metadata, { type, ariaDescribedBy: hintId })} {...common} />
  )
  return (
    <div className="field">
      <label htmlFor={metadata.id}>{label}</label>
      {after === undefined ? (
        control
      ) : (
        <div className="stepper">
          {control}
          {after}
        </div>
      )}
      <FieldError metadata={metadata} isLive={dismissedErrors !== 'none'} />
      {hint && (
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface FieldErrorProps {
  metadata: ReturnType<typeof fieldMetadata>
  /** Found while the user types: announced. `ErrorSummary` announces those of a refused form. */
  isLive?: boolean
}

export function FieldError({ metadata, isLive = false }: FieldErrorProps) {
  if (!metadata.errors) return null
  return (
    <p id={metadata.errorId} className="error" role={isLive ? 'alert' : undefined}>
      {metadata.errors[0]}
    </p>
  )
}
