/** Errors of the form as a whole. Focusable: see `markError`. */
export function FormError({ errors, id }: { errors?: string[] | string | null; id?: string }) {
  const texts = typeof errors === 'string' ? [errors] : errors
  if (!texts?.length) return null
  return (
    <div id={id} className="error form-error" role="alert" tabIndex={-1}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
