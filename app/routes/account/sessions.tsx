import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { removePasskey, type Passkey } from '../../store/accounts/passkeys/passkeys.server'
import { endOtherSessions, endSessionById, listSessions } from '../../store/accounts/sessions.server'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { SectionHeader } from '../../ui/layout/section-header'
import { PageHeader } from '../../ui/layout/page-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { Day } from '../../ui/time'

const path = '/dashboard/myProfile/sessions'

export const meta: MetaFunction = () => [{ title: `${t('Where you are logged in')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const { sessions, passkeys } = await listSessions(context, user, context.sessionSecret!)
  return { passkeys, sessions: sessions.map((session) => ({ ...session, browser: browserName(session.userAgent) })) }
}

const SessionAction = z.object({
  session: z.string().max(100).optional(),
  passkey: z.string().max(1400).optional(),
  anchor: z.string().max(200).optional(),
})

/** Asks for the password as adding a passkey does: somebody may have found the browser open. */
export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  requireRecentSignIn(context, user, path)
  return submit({ request, context }, SessionAction, async ({ session, passkey, anchor }) => {
    if (passkey !== undefined) {
      if (await removePasskey(context, user, passkey)) logSecurityEvent(context, 'passkey removed', { user: user.id })
      return toastTo(context, backToList(request, anchor), t('This passkey no longer signs in.'))
    }
    if (session !== undefined) {
      await endSessionById(context, user, session)
      return toastTo(context, backToList(request, anchor), t('That browser is signed out.'))
    }
    await endOtherSessions(context, user, context.sessionSecret!)
    return toastTo(context, backToList(request, anchor), t('You are signed out everywhere else.'))
  })
}

export default function Sessions() {
  const { sessions, passkeys } = useLoaderData<typeof loader>()
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = sessions.find(({ id }) => id === field('session').initialValue)
  return (
    <>
      <PageHeader
        title={t('Where you are logged in')}
        lead={t('Do you see a browser that is not yours? Sign out everywhere else, then choose a new password.')}
      />
      {!refused && <FormError errors={errors} />}
      <ResponsiveTable
        caption={t('Where you are logged in')}
        rows={sessions}
        refusal={refused && { row: refused, errors }}
        rowKey={({ id }) => id}
        columns={[
          { header: t('Browser'), rowHeader: true, cell: ({ id, browser }) => <RowName id={id}>{browser}</RowName> },
          { header: t('Logged in'), cell: ({ createdAt }) => <Day at={createdAt} /> },
          { header: t('Last used'), cell: ({ seenAt }) => <Day at={seenAt} /> },
          {
            header: t('Action'),
            cell: (session, index) => (
              <Which session={session} anchor={(sessions[index + 1] ?? sessions[index - 1])?.id} />
            ),
          },
        ]}
      />
      {sessions.length > 1 && (
        <RowForm className="form" fields={{ anchor: sessions.find(({ isThis }) => isThis)?.id }}>
          <Button variant="danger">{t('Sign out everywhere else')}</Button>
        </RowForm>
      )}
      <section className="section" aria-labelledby="passkeys">
        <SectionHeader title={t('Passkeys')} id="passkeys" />
        <p>
          {t(
            'A passkey signs you in with your finger, your face or a PIN. Remove those of devices that you no longer have.',
          )}
        </p>
        {passkeys.length > 0 && <Passkeys passkeys={passkeys} />}
        <p>
          <ButtonLink variant="quiet" href="/dashboard/myProfile/passkey">
            {t('Add a passkey')}
          </ButtonLink>
        </p>
      </section>
    </>
  )
}

function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  return (
    <ResponsiveTable
      caption={t('Passkeys')}
      rows={passkeys}
      rowKey={({ id }) => id}
      columns={[
        { header: t('Name'), rowHeader: true, cell: ({ id, name }) => <RowName id={id}>{name}</RowName> },
        { header: t('Added'), cell: ({ createdAt }) => <Day at={createdAt} /> },
        { header: t('Last used'), cell: ({ usedAt }) => (usedAt === null ? t('Never') : <Day at={usedAt} />) },
        {
          header: t('Action'),
          cell: ({ id }) => (
            <RowForm fields={{ passkey: id, anchor: 'passkeys' }}>
              <Button variant="quiet" aria-describedby={id}>
                {t('Remove')}
              </Button>
            </RowForm>
          ),
        },
      ]}
    />
  )
}

function Which({
  session: { id, isThis },
  anchor,
}: {
  session: { id: string; isThis: boolean }
  anchor: string | undefined
}) {
  if (isThis) return <Badge tone="success">{t('This browser')}</Badge>
  return (
    <RowForm fields={{ session: id, anchor }}>
      <Button variant="quiet" aria-describedby={id}>
        {t('Sign out there')}
      </Button>
    </RowForm>
  )
}

function browserName(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? t('Unknown browser')
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1]
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system ? t('{browser} on {system}', { browser: name, system }) : name
}
