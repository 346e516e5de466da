import type { InputHTMLAttributes } from 'react'

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string
  name: string
}

export function Checkbox({ label, name, id = name, ...rest }: CheckboxProps) {
  return (
    <label className="checkbox" htmlFor={id}>
      <input type="checkbox" id={id} name={name} {...rest} />
      {label}{' '}
    </label>
  )
}
