import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome, requireRecentSignIn } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { formatDay, formatTime } from '../../store/shared/dates'
import {
  createApiKey,
  listApiKeys,
  NewApiKey,
  revokeApiKey,
  type ApiKey,
} from '../../store/integrations/api-keys.server'
import { keyLifetimes, scopeFields, scopes } from '../../store/integrations/scopes'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Field } from '../../ui/field'
import { IntegrationsNav } from '../../ui/dashboard/integrations-nav'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'
import { Select } from '../../ui/select'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/keys'

export const meta: MetaFunction = () => [{ title: `API keys · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ submissionIds, origin: context.origin, keys: await listApiKeys(context) }, { headers })
}

const Revoke = z.object({
  act: z.literal('revoke'),
  keyId: z.string().max(100),
  anchor: z.string().max(100).optional(),
})

/** A key gives power without a login, so making one asks for a recent one; revoking is never delayed. */
export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, z.discriminatedUnion('act', [Revoke, NewApiKey]), async (input) => {
    if (input.act === 'revoke') {
      if (await revokeApiKey(context, admin, input.keyId))
        logSecurityEvent(context, 'API key revoked', { user: admin.id })
      return toastTo(context, backToList(request, input.anchor), 'This key no longer works.')
    }
    requireRecentSignIn(context, admin, path)
    const { key, expiresAt } = await createApiKey(context, admin, input)
    logSecurityEvent(context, 'API key made', { user: admin.id })
    return data({ made: { key, expiresAt, name: input.name } })
  })
}

export default function ApiKeys() {
  const { keys, submissionIds, origin } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  if (result && 'made' in result) return <NewKey made={result.made} origin={origin} />
  return (
    <>
      <PageHeader
        title="API keys"
        lead="With a key, a program of yours works with the shop: a warehouse that ships, a list of stock. Give each program its own."
      />
      <IntegrationsNav current={path} />
      <section className="section" aria-labelledby="keys">
        <SectionHeader title="Keys" id="keys" />
        {keys.length > 0 ? <Keys keys={keys} /> : <p>No keys yet.</p>}
      </section>
      <section className="section" aria-labelledby="new-key">
        <SectionHeader title="Make a key" id="new-key" />
        <KeyForm submissionIds={submissionIds} result={result} />
      </section>
    </>
  )
}

const lifetimes: Record<(typeof keyLifetimes)[number], string> = { 30: '30 days', 90: '90 days', 365: 'a year' }

type Result = Parameters<typeof formState>[0]

function KeyForm({ submissionIds, result }: { submissionIds: string[]; result: Result }) {
  const form = formState(result, { days: '90' })
  const may = form.field('readCatalogue')
  return (
    <form className="form" method="post" action={useSendTo()} noValidate>
      <ErrorSummary form={form} />
      <SubmissionId form={form} issued={submissionIds} />
      <input type="hidden" name="act" value="make" />
      <Field label="Name" {...form.field('name')} hint="Of the program that will use it" maxLength={60} required />
      <fieldset className="breaks">
        <legend>It may</legend>
        {scopes.map((scope) => (
          <Checkbox key={scope} label={scopeFields[scope].words} {...form.box(scopeFields[scope].field, false)} />
        ))}
        {may.errors && <p className="error">{may.errors[0]}</p>}
      </fieldset>
      <Select
        label="Works for"
        options={keyLifetimes.map((value) => ({ value, text: lifetimes[value] }))}
        {...form.field('days')}
      />
      <FormError errors={form.errors} />
      <p className="actions">
        <Button>Make the key</Button>
      </p>
    </form>
  )
}

function Keys({ keys }: { keys: ApiKey[] }) {
  return (
    <ResponsiveTable
      caption="Keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', rowHeader: true, cell: ({ id, name }) => <RowName id={`key-${id}`}>{name}</RowName> },
        { header: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeFields[scope].words).join(', ') },
        { header: 'Made', cell: ({ createdAt, madeBy }) => `${formatDay(createdAt)} by ${madeBy}` },
        {
          header: 'Works until',
          cell: ({ expiresAt, isExpired }) =>
            isExpired ? <Badge tone="error">Expired {formatDay(expiresAt)}</Badge> : formatDay(expiresAt),
        },
        { header: 'Last used', cell: ({ usedAt }) => (usedAt === null ? 'Never' : formatTime(usedAt)) },
        {
          header: 'Action',
          cell: ({ id }, index) => (
            <RowForm fields={{ act: 'revoke', keyId: id, anchor: anchorOf(keys[index + 1] ?? keys[index - 1]) }}>
              <Button variant="quiet" aria-describedby={`key-${id}`}>
                Revoke
              </Button>
            </RowForm>
          ),
        },
      ]}
    />
  )
}

function anchorOf(key: ApiKey | undefined): string {
  return key ? `key-${key.id}` : 'keys'
}

function NewKey({ made, origin }: { made: { key: string; name: string; expiresAt: number }; origin: string }) {
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">The key of {made.name}</span>}
        lead="Copy it now: no page shows it again. Who has it can do with your shop what the key may."
      />
      <p>
        <code className="wrap-anywhere">{made.key}</code>
      </p>
      <p>It works until {formatDay(made.expiresAt)}. Try it:</p>
      <p>
        <code className="wrap-anywhere">{`curl ${origin}/instruments -H 'Authorization: Bearer ${made.key}'`}</code>
      </p>
      <p>
        <ButtonLink href={path}>I have copied it</ButtonLink>
      </p>
    </>
  )
}
