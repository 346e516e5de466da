import type { ActionFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { deliverPendingEmails } from '../../store/operations/deliver-email.server'
import { limitResetRequests, ForgottenPassword, requestPasswordReset } from '../../store/accounts/password-reset.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Forgot password?')} · ${shopName}` },
  { name: 'description', content: t('Get a link by email to choose a new password.') },
]

export async function action({ request, context }: ActionFunctionArgs) {
  const response = await submit({ request, context }, ForgottenPassword, async ({ email }) => {
    await limitResetRequests(context, context.ip)
    // After the response, so that its timing does not reveal whether the account exists: too late for the delivery of this request.
    context.later(async () => {
      await requestPasswordReset(context, email)
      await deliverPendingEmails(context)
    })
    return toastTo(context, '/login', t('Password reset email sent'))
  })
  // The error is shown as a toast too (spec section 8).
  const error = 'data' in response && response.data.lastResult.error?.email?.[0]
  if (error) context.toast = { message: error, type: 'error' }
  return response
}

export default function ForgotPassword() {
  const form = formState(useActionData<typeof action>())
  return (
    <AuthCard
      title={t('Forgot password?')}
      lead={t('We email you a link to choose a new one. It works once, for 10 minutes.')}
    >
      <form className="form" method="post" noValidate>
        <ErrorSummary form={form} />
        <Field label={t('Email')} {...form.field('email')} type="email" autoComplete="username" required />
        <FormError errors={form.errors} />
        <Button>{t('Send the link')}</Button>
      </form>
      <p>
        <a href="/login">{t('Back to login')}</a>
      </p>
    </AuthCard>
  )
}
