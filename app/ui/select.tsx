import { getSelectProps } from '@conform-to/react'
import { FieldError } from './field'
import { fieldMetadata, type FieldState } from './field-metadata'

interface SelectProps extends FieldState {
  label: string
  options: { value: string; text: string }[]
}

export function Select({ label, options, ...field }: SelectProps) {
  const metadata = fieldMetadata(field)
  return (
    <div className="field">
      <label htmlFor={metadata.id}>{label}</label>
      <select {...getSelectProps(metadata)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldError metadata={metadata} />
    </div>
  )
}
