import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { signInOrigin } from '../../http/auth/device-cookie.server'
import { requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { qrCode, type QrCodeShape } from '../../http/formats/qr-code.server'
import { toastTo } from '../../http/response/toast.server'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  SecondFactorCode,
} from '../../store/accounts/second-factor/second-factor.server'
import { SignIn } from '../../store/accounts/sign-in.server'
import { CodeField } from '../../ui/auth/code-field'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'
import { Day } from '../../ui/time'

const path = '/dashboard/myProfile/secondFactor'

export const meta: MetaFunction = () => [{ title: `${t('Second factor')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { factor, ...account } = await readSecondFactor(context, await requireUser(request, context))
  return { ...account, factor, qr: factor.state === 'pending' ? qrCode(factor.uri) : null }
}

const password = SignIn.shape.password
const Change = z.discriminatedUnion('act', [
  z.object({ act: z.literal('begin'), password }),
  z.object({ act: z.literal('confirm'), code: SecondFactorCode }),
  z.object({ act: z.enum(['renew', 'remove']), password, code: SecondFactorCode }),
])

/** The response has the recovery codes: no other page shows them again. */
export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  const sessionSecret = context.sessionSecret!
  return submit({ request, context }, Change, async (input) => {
    const from = await signInOrigin(request, context, user.email)
    if (input.act === 'begin') {
      await beginSecondFactor(context, { ...input, user, from })
      return toastTo(context, path, t('Now scan the code with your app.'), { type: 'info' })
    }
    if (input.act === 'confirm') {
      const recoveryCodes = await confirmSecondFactor(context, user, { ...input, sessionSecret })
      logSecurityEvent(context, 'second factor on', { user: user.id })
      return data({ recoveryCodes })
    }
    if (input.act === 'renew') {
      const recoveryCodes = await renewRecoveryCodes(context, { ...input, user, from })
      logSecurityEvent(context, 'recovery codes renewed', { user: user.id })
      return data({ recoveryCodes })
    }
    await removeSecondFactor(context, { ...input, user, from, sessionSecret })
    logSecurityEvent(context, 'second factor off', { user: user.id })
    return toastTo(context, path, t('Your second factor is off.'))
  })
}

export default function SecondFactor() {
  const { factor, qr, hasPassword, isVerified } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  if (result && 'recoveryCodes' in result) return <RecoveryCodes codes={result.recoveryCodes} />
  const form = formState(result)
  return (
    <>
      <PageHeader
        title={t('Second factor')}
        lead={t('A login then asks for a code of an app on your phone, beside the password.')}
      />
      {factor.state === 'on' && <SwitchedOn since={factor.since} recoveryCodes={factor.recoveryCodes} form={form} />}
      {factor.state === 'pending' && <FirstCode secret={factor.secret} uri={factor.uri} qr={qr!} form={form} />}
      {factor.state === 'off' && <SwitchedOff hasPassword={hasPassword} isVerified={isVerified} form={form} />}
    </>
  )
}

interface SwitchedOffProps {
  hasPassword: boolean
  isVerified: boolean
  form: FormState
}

function SwitchedOff({ hasPassword, isVerified, form }: SwitchedOffProps) {
  if (!isVerified) return <Notice>{t('Please verify your email first.')}</Notice>
  if (!hasPassword) {
    return (
      <Notice>
        {rich('Your account has no password yet. {link}, then come back.', {
          link: <a href="/forgot-password">{t('Choose one by a link that we mail you')}</a>,
        })}
      </Notice>
    )
  }
  return (
    <>
      <p>{t('It is off. You need an authenticator app, such as Google Authenticator, 1Password or Aegis.')}</p>
      <FactorForm form={form} act="begin">
        <PasswordField form={form} />
        <FormError errors={form.errors} />
        <Button>{t('Set up')}</Button>
      </FactorForm>
    </>
  )
}

function FirstCode({ secret, uri, qr, form }: { secret: string; uri: string; qr: QrCodeShape; form: FormState }) {
  return (
    <>
      <p>{t('Scan this with your authenticator app, then enter the code that it shows.')}</p>
      <p>
        <QrCode {...qr} />
      </p>
      <p>
        {rich('Without a camera, {link} on this device, or type this secret into it: {secret}', {
          link: <a href={uri}>{t('open your app')}</a>,
          secret: <code className="wrap-anywhere">{groups(secret)}</code>,
        })}
      </p>
      <FactorForm form={form} act="confirm">
        <CodeField {...form.field('code')} />
        <FormError errors={form.errors} />
        <Button>{t('Switch on')}</Button>
      </FactorForm>
    </>
  )
}

/** Dark on light in every colour scheme: scanners need it. */
function QrCode({ size, path }: QrCodeShape) {
  return (
    <svg
      width={240}
      height={240}
      role="img"
      aria-label={t('For your app to scan')}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function groups(secret: string): string {
  return secret.match(/.{1,4}/g)!.join(' ')
}

function SwitchedOn({ since, recoveryCodes, form }: { since: number; recoveryCodes: number; form: FormState }) {
  return (
    <>
      <p>
        {rich('It is on since {day}.', { day: <Day at={since} /> })} {recoveryCodesLeft(recoveryCodes)}
      </p>
      <FactorForm form={form}>
        <PasswordField form={form} />
        <CodeField {...form.field('code')} hint={t('Of your app, or a recovery code')} />
        <FormError errors={form.errors} />
        <div className="actions">
          <Button name="act" value="renew">
            {t('New recovery codes')}
          </Button>{' '}
          <Button variant="danger" name="act" value="remove">
            {t('Switch off')}
          </Button>
        </div>
      </FactorForm>
    </>
  )
}

function recoveryCodesLeft(count: number): string {
  if (count === 0) return t('You have no recovery code left: make new ones.')
  return count === 1 ? t('You have one recovery code left.') : t('You have {count} recovery codes left.', { count })
}

function FactorForm({ form, act, children }: { form: FormState; act?: string; children: ReactNode }) {
  return (
    <form className="form" method="post" noValidate>
      <ErrorSummary form={form} />
      {act && <input type="hidden" name="act" value={act} />}
      {children}
    </form>
  )
}

function PasswordField({ form }: { form: FormState }) {
  return (
    <Field label={t('Password')} {...form.field('password')} type="password" autoComplete="current-password" required />
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <PageHeader
        title={t('Your recovery codes')}
        lead={t(
          'Each replaces a code of your app once, when your phone is not there. Print this page or write them down: no page shows them again.',
        )}
      />
      <div className="form">
        <ol className="ruled">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <p>
          <ButtonLink href={path}>{t('I have them')}</ButtonLink>
        </p>
      </div>
    </>
  )
}
