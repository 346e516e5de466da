import { Field } from '../field'
import type { FieldState } from '../field-metadata'

/** For a code of an authenticator app, or a recovery code. */
export function CodeField(field: FieldState & { hint?: string }) {
  return (
    <Field
      label="Code"
      {...field}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      required
    />
  )
}
