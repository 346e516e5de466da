import { getInputProps } from '@conform-to/react'
import { fieldMetadata, type FieldState } from './field-metadata'

interface CheckboxProps extends FieldState {
  label: string
  value?: string
}

export function Checkbox({ label, value = 'on', ...field }: CheckboxProps) {
  const metadata = fieldMetadata(field)
  return (
    <label className="checkbox" htmlFor={metadata.id}>
      <input {...getInputProps(metadata, { type: 'checkbox', value })} />
      {label}{' '}
    </label>
  )
}
