import { Button } from '../button'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { t } from '../../i18n/language'

interface PasswordFieldProps {
  form: FormState
  label?: string
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField({ form, label = t('Password'), autoComplete }: PasswordFieldProps) {
  const isVisible = form.passwordView === 'visible'
  return (
    <Field
      label={label}
      {...form.field('password')}
      type={isVisible ? 'text' : 'password'}
      autoComplete={autoComplete}
      hint={autoComplete === 'new-password' ? t('6 characters or longer') : undefined}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- after 'Show password' the user goes on here
      autoFocus={form.passwordView !== undefined}
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}

/** Must follow the form's main button: Enter presses the first. */
export function PasswordViewButton({ form }: { form: FormState }) {
  const isVisible = form.passwordView === 'visible'
  return (
    <Button variant="quiet" name="passwordView" value={isVisible ? 'hidden' : 'visible'}>
      {isVisible ? t('Hide password') : t('Show password')}
    </Button>
  )
}
