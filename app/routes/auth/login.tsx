import {
  data,
  redirectDocument,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { joinGoogle } from '../../http/auth/google-join.server'
import { submit } from '../../http/request/forms.server'
import { hasGoogle } from '../../http/auth/authenticator.server'
import { setDeviceCookie } from '../../http/auth/device-cookie.server'
import { logIn } from '../../http/auth/log-in.server'
import { logSecurityEvent } from '../../http/log.server'
import { findChosenInstrument } from '../../http/auth/chosen-instrument.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { requireAnonymous } from '../../http/auth/require-user.server'
import { toastTo } from '../../http/response/toast.server'
import { findSignInLink, SignIn } from '../../store/accounts/sign-in.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { Field } from '../../ui/field'
import { formState } from '../../ui/form-state'
import { GoogleButton, googleProblemIn, statusOfGoogle } from '../../ui/auth/google-button'
import { PasskeyForm } from '../../ui/auth/passkey-form'
import { PasswordPart } from '../../ui/auth/password-field'
import { Ways } from '../../ui/auth/ways'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Login')} · ${shopName}` },
  { name: 'description', content: t('Log in to order instruments, pay for them and follow your orders.') },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, destination(request))
  const device = new URL(request.url).searchParams.get('device')
  if (device !== null) return welcomeDevice(context, device)
  const googleProblem = googleProblemIn(request.url)
  // The request that came back from Google has a line in the log.
  context.isReported ||= googleProblem === 'outage'
  const instrument = await findChosenInstrument(context, destination(request))
  return data({ googleProblem, instrument, hasGoogle: hasGoogle(context) }, { status: statusOfGoogle(googleProblem) })
}

export async function action({ request, context }: ActionFunctionArgs) {
  return submit({ request, context }, SignIn, async (input) => {
    const { user, headers } = await logIn(request, context, input)
    if (await joinGoogle(request, context, user)) {
      return toastTo(context, destination(request), t('You can log in with Google from now on.'), { headers })
    }
    return redirectDocument(destination(request), { status: 303, headers })
  })
}

/** The link of the email that a locked account's owner gets. */
async function welcomeDevice(context: AppLoadContext, secret: string) {
  const account = await findSignInLink(context, secret)
  logSecurityEvent(context, account ? 'browser made known' : 'link refused')
  if (!account)
    return toastTo(context, '/login', t('This link has expired. Log in to get a new one.'), { type: 'error' })
  const headers = { 'set-cookie': await setDeviceCookie(context, account) }
  return toastTo(context, '/login', t('You can log in now.'), { headers })
}

function destination(request: Request): string {
  return safeRedirectTo(new URL(request.url).searchParams.get('redirectTo'))
}

export default function Login() {
  const actionData = useActionData<typeof action>()
  const { googleProblem, instrument, hasGoogle } = useLoaderData<typeof loader>()
  const form = formState(actionData)
  const redirectTo = useSearchParams()[0].get('redirectTo')
  return (
    <AuthCard
      title={t('Login')}
      lead={redirectTo && !instrument && t('Log in or create an account to continue.')}
      instrument={instrument}
    >
      <Ways current="login" redirectTo={redirectTo} />
      <form className="form" method="post" noValidate>
        <Field label={t('Email')} {...form.field('email')} type="email" autoComplete="username" required />
        <PasswordPart form={form} autoComplete="current-password" button={t('Login')} />
        <p>
          <a href="/forgot-password">{t('Forgot password?')}</a>
        </p>
      </form>
      {hasGoogle && <GoogleButton page="login" redirectTo={redirectTo} problem={actionData ? null : googleProblem} />}
      <PasskeyForm redirectTo={redirectTo} />
    </AuthCard>
  )
}
