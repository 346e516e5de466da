import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { challengeTtl, readPasskeyChallenge, setPasskeyChallenge } from '../../http/auth/passkey-challenge.server'
import { requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { addPasskey, beginPasskey, NewPasskey } from '../../store/accounts/passkeys/passkeys.server'
import { algorithms } from '../../store/accounts/passkeys/web-authn.server'
import { Refusal } from '../../store/shared/refusal'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

const path = '/dashboard/myProfile/passkey'
const list = '/dashboard/myProfile/sessions'

export const meta: MetaFunction = () => [{ title: `${t('Add a passkey')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  requireRecentSignIn(context, user, path)
  const { isVerified, rpId, userHandle, known } = await beginPasskey(context, user)
  const { challenge, headers } = await setPasskeyChallenge(context, { purpose: user.id, userHandle })
  const options = {
    challenge,
    rp: { id: rpId, name: shopName },
    user: { id: userHandle, name: user.email, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    timeout: challengeTtl,
  }
  return data({ isVerified, options: JSON.stringify(options) }, { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  requireRecentSignIn(context, user, path)
  return submit({ request, context }, NewPasskey, async (input) => {
    const expected = await readPasskeyChallenge(request, context, user.id)
    if (!expected) throw new Refusal('conflict', 'That took too long. Please try again.')
    await addPasskey(context, user, input, expected)
    logSecurityEvent(context, 'passkey added', { user: user.id })
    return toastTo(context, list, t('From now on you can sign in with this passkey.'))
  })
}

export default function AddPasskey() {
  const { isVerified, options } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={t('Add a passkey')}
        lead={t('It signs you in with your finger, your face or the PIN of this device, without password and code.')}
      />
      {isVerified ? (
        <>
          <noscript>
            <Notice>{t('This needs JavaScript: only scripts can ask your device for a passkey.')}</Notice>
          </noscript>
          <form
            className="form"
            method="post"
            action={path}
            data-passkey={options}
            data-there={t('This device has a passkey for your account already.')}
            data-none={t('No passkey was used. Please try again.')}
            noValidate
          >
            <ErrorSummary form={form} />
            <Field
              label={t('Name')}
              {...form.field('name')}
              hint={t('Such as “Phone” or “Key ring”: you find it under this name')}
              maxLength={50}
              required
            />
            <input type="hidden" name="credential" />
            <FormError errors={form.errors} />
            <Button>{t('Add passkey')}</Button>
            <p role="status" />
          </form>
        </>
      ) : (
        <Notice>{t('Please verify your email first.')}</Notice>
      )}
      <p>
        <ButtonLink variant="quiet" href={list}>
          {t('Where you are logged in')}
        </ButtonLink>
      </p>
    </>
  )
}
