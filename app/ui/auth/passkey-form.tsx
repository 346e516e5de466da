import { t } from '../../i18n/language'
/**
 * Empty, because text browsers show what is `hidden`: `passkey.ts`, inline in the page, adds the button where it finds that the browser
 * has passkeys.
 */
export function PasskeyForm({ redirectTo }: { redirectTo: string | null }) {
  return (
    <form
      className="form"
      method="post"
      action="/login/passkey"
      data-passkey=""
      data-none={t('No passkey was used. Please try again.')}
      data-button={t('Sign in with a passkey')}
      hidden
    >
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      <input type="hidden" name="credential" />
    </form>
  )
}
