import { Field } from '../field'
import type { FieldState } from '../field-metadata'
import { t } from '../../i18n/language'

/** For a code of an authenticator app, or a recovery code. */
export function CodeField(field: FieldState & { hint?: string }) {
  return (
    <Field
      label={t('Code')}
      {...field}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      required
    />
  )
}
