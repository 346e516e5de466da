interface SelectProps {
  label: string
  name: string
  options: { value: string; text: string }[]
  defaultValue?: string
  errors?: string[] | null
}

export function Select({ label, name, options, defaultValue, errors }: SelectProps) {
  const error = errors?.[0]
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select
        id={name}
        name={name}
        defaultValue={defaultValue}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${name}-error` : undefined}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${name}-error`} className="error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
