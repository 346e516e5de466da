/** What is wrong with the form as a whole, in red under it. Shows nothing without errors. It can have the focus: see `showMistake`. */
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
