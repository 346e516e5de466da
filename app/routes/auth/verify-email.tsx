import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { requireUser } from '../../http/auth/require-user.server'
import { verifyEmail } from '../../store/accounts/users.server'
import { Refusal } from '../../store/shared/refusal'
import { AuthCard } from '../../ui/auth/auth-card'
import { Button } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Verify your email')} · ${shopName}` },
  { name: 'description', content: t('Confirm that this email address is yours.') },
]

const Verification = z.object({ token: z.string({ error: 'This link is incomplete.' }).max(200) })

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireUser(request, context)
  return { token: new URL(request.url).searchParams.get('token') ?? '' }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  return submit({ request, context }, Verification, async ({ token }) => {
    if (!(await verifyEmail(context, user, token))) {
      logSecurityEvent(context, 'link refused', { user: user.id })
      throw new Refusal('conflict', 'This link has expired, was already used, or was sent to another address.')
    }
    logSecurityEvent(context, 'email verified', { user: user.id })
    return toastTo(context, '/dashboard', t('Thank you. Your email is verified.'))
  })
}

/** A form, because email clients open links to scan them: only the button uses the link up. */
export default function VerifyEmail() {
  const { token } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <AuthCard title={t('Verify your email')} lead={t('One more step: confirm that this address is yours.')}>
      <form className="form" method="post">
        <input type="hidden" name="token" defaultValue={token} />
        <FormError errors={form.errors} />
        <Button>{t('Verify my email')}</Button>
      </form>
    </AuthCard>
  )
}
