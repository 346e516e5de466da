import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { hasGoogle } from '../../http/auth/authenticator.server'
import { logIn } from '../../http/auth/log-in.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { SignIn } from '../../store/accounts/sign-in.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { GoogleButton } from '../../ui/auth/google-button'
import { PasskeyForm } from '../../ui/auth/passkey-form'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [{ title: `${t('Confirm it is you')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { email } = await requireUser(request, context)
  return { email, redirectTo: destination(request), hasGoogle: hasGoogle(context) }
}

/** Signs the user in again: the new session counts as recent. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { email } = await requireUser(request, context)
  return submit({ request, context }, SignIn.pick({ password: true }), async (input) => {
    const { headers } = await logIn(request, context, { ...input, email })
    return toastTo(context, destination(request), t('Thank you. You can continue now.'), { headers })
  })
}

function destination(request: Request): string {
  return safeRedirectTo(new URL(request.url).searchParams.get('redirectTo'))
}

export default function Confirm() {
  const { email, redirectTo, hasGoogle } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <AuthCard
      title={t('Confirm it is you')}
      lead={t('You logged in more than 15 minutes ago. Enter your password to continue, then press the button again.')}
    >
      <form className="form" method="post" noValidate>
        <ErrorSummary form={form} />
        <Field label={t('Email')} name="email" type="email" autoComplete="username" value={email} readOnly />
        <Field
          label={t('Password')}
          {...form.field('password')}
          type="password"
          autoComplete="current-password"
          required
        />
        <FormError errors={form.errors} />
        <Button>{t('Continue')}</Button>
      </form>
      {hasGoogle && <GoogleButton page="login" redirectTo={redirectTo} problem={null} />}
      <PasskeyForm redirectTo={redirectTo} />
    </AuthCard>
  )
}
