import { getInputProps } from '@conform-to/react'
import type { InputHTMLAttributes } from 'react'
import { fieldMetadata, type FieldState } from './field-metadata'

interface CheckboxProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'onChange'>, FieldState {
  label: string
  value?: string
}

export function Checkbox({ label, value = 'on', onChange, ...field }: CheckboxProps) {
  const metadata = fieldMetadata(field)
  return (
    <label className="checkbox" htmlFor={metadata.id}>
      <input {...getInputProps(metadata, { type: 'checkbox', value })} onChange={onChange} />
      {label}{' '}
    </label>
  )
}
