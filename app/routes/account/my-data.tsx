import {
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { hasGoogle } from '../../http/auth/authenticator.server'
import { logIn } from '../../http/auth/log-in.server'
import { isLinkedFromElsewhere } from '../../http/request/csrf.server'
import { requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { isRecentSignIn, SignIn } from '../../store/accounts/sign-in.server'
import { hasPassword } from '../../store/privacy/own-data.server'
import { GoogleButton } from '../../ui/auth/google-button'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'

const path = '/dashboard/myProfile/data'
const file = `${path}.json`

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${t('My data')} · ${shopName}` },
  ...(data?.isReady ? [{ httpEquiv: 'refresh', content: `0;url=${file}` }] : []),
]

/** `?download`: the browser gets the file from this page, which then says so. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const isRecent = isRecentSignIn(context, user)
  return {
    email: user.email,
    hasPassword: await hasPassword(context, user),
    hasGoogle: hasGoogle(context),
    isRecent,
    isReady: isRecent && new URL(request.url).searchParams.has('download') && !isLinkedFromElsewhere(request),
  }
}

const act = z.enum(['download', 'close'], { error: 'Press one of the two buttons' })
const WithPassword = z.object({ act, password: SignIn.shape.password })
const WithoutPassword = z.object({ act, password: z.undefined().optional() })

/** The password gives a session that counts as recent: both pages ask for one. */
export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  const isEnough = isRecentSignIn(context, user) && !(await hasPassword(context, user))
  return submit({ request, context }, isEnough ? WithoutPassword : WithPassword, async ({ act, password }) => {
    const to = act === 'close' ? `${path}/close` : `${path}?download`
    if (password === undefined) return redirectDocument(to, 303)
    const login = new URL(`/login?redirectTo=${encodeURIComponent(to)}`, request.url)
    const { headers } = await logIn(new Request(login, { headers: request.headers }), context, {
      email: user.email,
      password,
    })
    return redirectDocument(to, { status: 303, headers })
  })
}

export default function MyData() {
  const { email, hasPassword, hasGoogle, isRecent, isReady } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const mayAsk = hasPassword || isRecent
  return (
    <>
      <PageHeader
        title={t('My data')}
        lead={t('All that the shop knows about you, as a file, and how to close your account.')}
      />
      {isReady && (
        <Notice tone="success">
          {rich('Your download begins. If it does not, {link}.', {
            link: <a href={file}>{t('download the file here')}</a>,
          })}
        </Notice>
      )}
      {mayAsk ? (
        <form className="form" method="post" action={path} noValidate>
          <ErrorSummary form={form} />
          <input type="hidden" name="email" autoComplete="username" value={email} />
          {hasPassword && (
            <Field
              label={t('Password')}
              {...form.field('password')}
              type="password"
              autoComplete="current-password"
              required
            />
          )}
          <FormError errors={form.errors} />
          <p>
            {t(
              'The file has your profile, orders, reviews, messages, price requests, the emails that we sent you or will send when an instrument is back, and where you are logged in. A JSON file.',
            )}
          </p>
          <div className="actions">
            <Button name="act" value="download">
              {t('Download my data')}
            </Button>
          </div>
          <p>{t('Before your account is closed, a page says what happens and asks again.')}</p>
          <div className="actions">
            <Button variant="danger" name="act" value="close">
              {t('Close my account')}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <p>
            {rich('Your account has no password. Log in with Google again, or {link}.', {
              link: <a href="/forgot-password">{t('choose a password by a link that we mail you')}</a>,
            })}
          </p>
          {hasGoogle && <GoogleButton page="login" redirectTo={path} problem={null} />}
        </>
      )}
      <p>
        <ButtonLink variant="quiet" href="/dashboard/myProfile">
          {t('Back to My Profile')}
        </ButtonLink>
      </p>
    </>
  )
}
