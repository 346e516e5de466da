import {
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData } from '@remix-run/react'
import { z } from 'zod'
import { joinGoogle } from '../../http/auth/google-join.server'
import { logInWithCode } from '../../http/auth/log-in.server'
import { readPendingSignIn } from '../../http/auth/pending-sign-in.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { SecondFactorCode } from '../../store/accounts/second-factor/second-factor.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { CodeField } from '../../ui/auth/code-field'
import { Button } from '../../ui/button'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [{ title: `${t('Enter your code')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!(await readPendingSignIn(request, context))) throw redirectDocument(loginPath(request), 303)
  return null
}

export async function action({ request, context }: ActionFunctionArgs) {
  return submit({ request, context }, z.object({ code: SecondFactorCode }), async ({ code }) => {
    const pending = await readPendingSignIn(request, context)
    if (!pending)
      return toastTo(context, loginPath(request), t('That took too long. Please log in again.'), { type: 'error' })
    const { user, headers } = await logInWithCode(request, context, pending, code)
    const to = safeRedirectTo(new URL(request.url).searchParams.get('redirectTo'))
    if (await joinGoogle(request, context, user)) {
      return toastTo(context, to, t('You can log in with Google from now on.'), { headers })
    }
    return redirectDocument(to, { status: 303, headers })
  })
}

function loginPath(request: Request): string {
  return `/login${new URL(request.url).search}`
}

export default function Code() {
  const form = formState(useActionData<typeof action>())
  return (
    <AuthCard title={t('Enter your code')} lead={t('Your authenticator app shows it. A recovery code does as well.')}>
      <form className="form" method="post" noValidate>
        <ErrorSummary form={form} />
        <CodeField {...form.field('code')} />
        <FormError errors={form.errors} />
        <Button>{t('Continue')}</Button>
      </form>
      <p>
        <a href="/login">{t('Log in as somebody else')}</a>
      </p>
    </AuthCard>
  )
}
