import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { setDeviceCookie } from '../../http/auth/device-cookie.server'
import { clearSessionCookie } from '../../http/auth/session.server'
import { toastTo } from '../../http/response/toast.server'
import { isResetLinkValid, NewPassword, resetPassword } from '../../store/accounts/password-reset.server'
import { cancelOrdersBefore } from '../../store/ordering/cancel-order.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { ButtonLink } from '../../ui/button'
import { ErrorSummary } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PasswordPart } from '../../ui/auth/password-field'
import { Notice } from '../../ui/notice'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Choose a new password')} · ${shopName}` },
  { name: 'description', content: t('Choose a new password for your account.') },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const isValid = await isResetLinkValid(context, token)
  if (!isValid) logSecurityEvent(context, 'link refused')
  return data({ token, isValid }, { status: isValid ? 200 : 410 })
}

export async function action({ request, context }: ActionFunctionArgs) {
  return submit({ request, context }, NewPassword, async (input) => {
    const account = await resetPassword(context, input)
    logSecurityEvent(context, 'password reset', { user: account.id })
    const { tookOver } = account
    if (tookOver) context.later(() => cancelOrdersBefore(context, { id: tookOver }, context.now()))
    const headers = new Headers({ 'set-cookie': await clearSessionCookie(context.origin) })
    // The reset proves the owner: guesses from elsewhere must not lock out this browser.
    headers.append('set-cookie', await setDeviceCookie(context, account))
    return toastTo(context, '/login', t('Your password has changed. Log in with the new one.'), { headers })
  })
}

export default function ResetPassword() {
  const { token, isValid } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  if (!isValid) return <InvalidLink />
  return (
    <AuthCard title={t('Choose a new password')} lead={t('You will have to log in again on all your devices.')}>
      <form className="form" method="post" noValidate>
        <ErrorSummary form={form} />
        <input type="hidden" name="token" defaultValue={token} />
        <PasswordPart
          form={form}
          label={t('New password')}
          autoComplete="new-password"
          button={t('Change my password')}
        />
      </form>
      <p>
        <a href="/forgot-password">{t('Ask for a new link')}</a>
      </p>
    </AuthCard>
  )
}

function InvalidLink() {
  return (
    <AuthCard title={t('Choose a new password')}>
      <Notice tone="error">{t('This link has expired or was already used.')}</Notice>
      <p>
        <ButtonLink href="/forgot-password">{t('Ask for a new link')}</ButtonLink>
      </p>
    </AuthCard>
  )
}
