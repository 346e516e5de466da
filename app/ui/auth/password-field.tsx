import { Button } from '../button'
import { Field } from '../field'
import { FormError } from '../form-error'
import type { FormState } from '../form-state'
import { t } from '../../i18n/language'

interface PasswordPartProps {
  form: FormState
  label?: string
  autoComplete: 'current-password' | 'new-password'
  /** Of the form's button. */
  button: string
}

/** The end of a form. Show stands in the field, and follows the main button: Enter presses the first. */
export function PasswordPart({ form, label = t('Password'), autoComplete, button }: PasswordPartProps) {
  const isVisible = form.passwordView === 'visible'
  return (
    <div className="password-part">
      <Field
        label={label}
        {...form.field('password')}
        type={isVisible ? 'text' : 'password'}
        autoComplete={autoComplete}
        hint={autoComplete === 'new-password' ? t('6 characters or longer') : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- after 'Show' the user goes on here
        autoFocus={form.passwordView !== undefined}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <FormError errors={form.errors} />
      <Button>{button}</Button>{' '}
      <button className="show" name="passwordView" value={isVisible ? 'hidden' : 'visible'} aria-controls="password">
        {isVisible ? t('Hide') : t('Show')}
      </button>
    </div>
  )
}
