import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useLocation, useSearchParams } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { authenticateForm, hasGoogle } from '../../http/auth/authenticator.server'
import { findChosenInstrument } from '../../http/auth/chosen-instrument.server'
import { safeRedirectTo } from '../../http/auth/redirect-to'
import { renewSession } from '../../http/auth/session.server'
import { sharedSubmissionId } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAnonymous } from '../../http/auth/require-user.server'
import { findSessionUser } from '../../store/accounts/sign-in.server'
import { register, SignUp } from '../../store/accounts/users.server'
import { AuthCard } from '../../ui/auth/auth-card'
import { Field } from '../../ui/field'
import { formState } from '../../ui/form-state'
import { GoogleButton, googleProblemIn, statusOfGoogle } from '../../ui/auth/google-button'
import { PasswordPart } from '../../ui/auth/password-field'
import { Ways } from '../../ui/auth/ways'
import { sendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Register')} · ${shopName}` },
  { name: 'description', content: t('Create an account to order handcrafted instruments and cases.') },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, destination(request))
  const googleProblem = googleProblemIn(request.url)
  // The request that came back from Google has a line in the log.
  context.isReported ||= googleProblem === 'outage'
  const instrument = await findChosenInstrument(context, destination(request))
  const submissionId = sharedSubmissionId(context)
  return data(
    { googleProblem, submissionId, instrument, hasGoogle: hasGoogle(context) },
    { status: statusOfGoogle(googleProblem) },
  )
}

export async function action({ request, context }: ActionFunctionArgs) {
  return submit({ request, context }, SignUp, async (input) => {
    const from = { ip: context.ip, userAgent: request.headers.get('user-agent') ?? '' }
    const session = await authenticateForm(request, context, input, (form) =>
      register(context, SignUp.parse(form), from),
    )
    logSecurityEvent(context, 'registered', { user: (await findSessionUser(context, session.secret))?.id })
    const headers = await renewSession(context, session)
    return toastTo(context, destination(request), t('User Registered. Please verify your email.'), { headers })
  })
}

function destination(request: Request): string {
  return safeRedirectTo(new URL(request.url).searchParams.get('redirectTo'))
}

export default function Register() {
  const actionData = useActionData<typeof action>()
  const { googleProblem, submissionId, instrument, hasGoogle } = useLoaderData<typeof loader>()
  const form = formState(actionData)
  const redirectTo = useSearchParams()[0].get('redirectTo')
  return (
    <AuthCard title={t('Register')} instrument={instrument}>
      <Ways current="register" redirectTo={redirectTo} />
      <form className="form" method="post" action={sendTo(useLocation())} noValidate>
        <input type="hidden" name="submissionId" value={form.submissionId ?? submissionId} />
        <Field label={t('Name')} {...form.field('name')} autoComplete="name" required />
        <Field label={t('Email')} {...form.field('email')} type="email" autoComplete="username" required />
        <PasswordPart form={form} autoComplete="new-password" button={t('Register')} />
      </form>
      {hasGoogle && (
        <GoogleButton page="register" redirectTo={redirectTo} problem={actionData ? null : googleProblem} />
      )}
    </AuthCard>
  )
}
