import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome, requireRecentSignIn } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { formatTime } from '../../store/shared/dates'
import {
  readWebhooks,
  sendWebhookAgain,
  WebhookRepeat,
  type WebhookDelivery,
} from '../../store/integrations/webhook-deliveries.server'
import { webhookFields, webhookTypes } from '../../store/integrations/webhook-types'
import {
  addWebhookEndpoint,
  deleteWebhookEndpoint,
  NewWebhookEndpointForm,
  switchOffWebhookEndpoint,
  testWebhookEndpoint,
  type WebhookEndpoint,
} from '../../store/integrations/webhooks.server'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { IntegrationsNav } from '../../ui/dashboard/integrations-nav'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { Pager } from '../../ui/pager'
import { ResponsiveTable, type Refusal } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/webhooks'
const pageSize = 25

export const meta: MetaFunction = () => [{ title: `Webhooks · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  const cursor = /^\d{1,15}$/.exec(new URL(request.url).searchParams.get('before') ?? '')
  const before = cursor ? Number(cursor[0]) : undefined
  const webhooks = await readWebhooks(context, { before, limit: pageSize })
  return data({ ...webhooks, submissionIds, isFirst: before === undefined }, { headers })
}

const Change = z.object({
  act: z.enum(['test', 'off', 'delete']),
  endpointId: z.string().max(100),
  anchor: z.string().max(100).optional(),
})

const Input = z.discriminatedUnion('act', [Change, WebhookRepeat, NewWebhookEndpointForm])

/** An endpoint gets what the shop knows without a login, so adding one asks for a recent one; ending one is never delayed. */
export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Input, async (input) => {
    const back = (anchor?: string) => backToList(request, anchor)
    if (input.act === 'register') {
      requireRecentSignIn(context, admin, path)
      const { secret } = await addWebhookEndpoint(context, admin, input)
      logSecurityEvent(context, 'webhook registered', { user: admin.id })
      return data({ made: { secret, url: input.url } })
    }
    if (input.act === 'again') {
      await sendWebhookAgain(context, input.sequence)
      return toastTo(context, back(input.anchor), 'It is sent again.')
    }
    if (input.act === 'test') {
      const result = await testWebhookEndpoint(context, admin, input.endpointId)
      if (!result) return toastTo(context, back('endpoints'), 'This endpoint was deleted.', { type: 'error' })
      const { isOn, status, answer } = result
      const refused = status === null ? answer : `It answered ${status}. Only 2xx counts.`
      const message = isOn ? `It answered ${status}, and gets events.` : refused
      return toastTo(context, back(input.anchor), message, { type: isOn ? 'success' : 'error' })
    }
    const end = input.act === 'off' ? switchOffWebhookEndpoint : deleteWebhookEndpoint
    if (await end(context, admin, input.endpointId)) logSecurityEvent(context, 'webhook ended', { user: admin.id })
    const message = input.act === 'off' ? 'This endpoint gets no more events.' : 'This endpoint is deleted.'
    return toastTo(context, back(input.anchor), message)
  })
}

export default function Webhooks() {
  const { endpoints, deliveries, next, isFirst, submissionIds } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  if (result && 'made' in result) return <NewSecret made={result.made} />
  const { errors, field } = formState(result)
  const row = deliveries.find(({ sequence }) => String(sequence) === field('sequence').initialValue)
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead="When something happens in the shop, we post it to a program of yours: an order to your warehouse, low stock to your buyer."
      />
      <IntegrationsNav current={path} />
      <section className="section" aria-labelledby="endpoints">
        <SectionHeader title="Endpoints" id="endpoints" />
        {endpoints.length > 0 ? <Endpoints endpoints={endpoints} /> : <p>No endpoints yet.</p>}
      </section>
      <section className="section" aria-labelledby="new-endpoint">
        <SectionHeader title="Add an endpoint" id="new-endpoint" />
        <EndpointForm submissionIds={submissionIds} result={row ? undefined : result} />
      </section>
      <section className="section" aria-labelledby="deliveries">
        <SectionHeader title="Deliveries" id="deliveries" />
        <p>Kept for 14 days. What fails is tried for three days, at growing intervals.</p>
        {deliveries.length > 0 && <Deliveries deliveries={deliveries} refusal={row && { row, errors }} />}
        {deliveries.length === 0 && <p>No deliveries yet.</p>}
        <Pager first={isFirst ? null : path} next={next === null ? null : `${path}?before=${next}`} />
      </section>
    </>
  )
}

type Result = Parameters<typeof formState>[0]

function EndpointForm({ submissionIds, result }: { submissionIds: string[]; result: Result }) {
  const form = formState(result)
  const events = form.field('orderPlaced')
  return (
    <form className="form" method="post" action={useSendTo()} noValidate>
      <ErrorSummary form={form} />
      <SubmissionId form={form} issued={submissionIds} />
      <input type="hidden" name="act" value="register" />
      <Field
        label="Address"
        {...form.field('url')}
        hint="Begins with https://. It must answer each event with a status of 2xx within ten seconds."
        maxLength={500}
        required
      />
      <fieldset className="breaks">
        <legend>Events</legend>
        <div className="boxes">
          {webhookTypes.map((type) => (
            <Checkbox key={type} label={webhookFields[type].words} {...form.box(webhookFields[type].field, false)} />
          ))}
        </div>
        {events.errors && <p className="error">{events.errors[0]}</p>}
      </fieldset>
      <FormError errors={form.errors} />
      <p className="actions">
        <Button>Add the endpoint</Button>
      </p>
    </form>
  )
}

function Endpoints({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  return (
    <ResponsiveTable
      caption="Endpoints"
      rows={endpoints}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Address',
          rowHeader: true,
          cell: ({ id, url }) => (
            <RowName id={`endpoint-${id}`}>
              <span className="wrap-anywhere">{url}</span>
            </RowName>
          ),
        },
        { header: 'Events', cell: ({ events }) => events.map((type) => webhookFields[type].words).join(', ') },
        { header: 'Status', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
        {
          header: 'Action',
          cell: ({ id, state }, index) => {
            const change = (act: string, text: string, anchor = `endpoint-${id}`) => (
              <RowForm fields={{ act, endpointId: id, anchor }}>
                <Button variant="quiet" aria-describedby={`endpoint-${id}`}>
                  {text}
                </Button>
              </RowForm>
            )
            const neighbour = endpoints[index + 1] ?? endpoints[index - 1]
            return (
              <div className="row-actions">
                {change('test', 'Send a test event')}
                {state === 'on' && change('off', 'Switch off')}
                {change('delete', 'Delete', neighbour ? `endpoint-${neighbour.id}` : 'endpoints')}
              </div>
            )
          },
        },
      ]}
    />
  )
}

function EndpointState({ endpoint: { state, reason, failingSince } }: { endpoint: WebhookEndpoint }) {
  if (state === 'on' && failingSince === null) return <Badge tone="success">Works</Badge>
  const hint =
    state === 'on'
      ? `Nothing has arrived since ${formatTime(failingSince!)}.`
      : state === 'new'
        ? 'It gets events once it has answered a test event.'
        : `${reason}.`
  const text = { on: 'Fails', new: 'Not verified', off: 'Off' }[state]
  return (
    <>
      <Badge tone={state === 'new' ? 'plain' : 'error'}>{text}</Badge> <span className="hint">{hint}</span>
    </>
  )
}

function Deliveries({ deliveries, refusal }: { deliveries: WebhookDelivery[]; refusal: Refusal<WebhookDelivery> }) {
  return (
    <ResponsiveTable
      caption="Deliveries"
      rows={deliveries}
      refusal={refusal}
      rowKey={({ sequence }) => String(sequence)}
      columns={[
        {
          header: 'Event',
          rowHeader: true,
          cell: ({ sequence, type, subject, createdAt }) => (
            <RowName id={`delivery-${sequence}`}>
              <Subject type={type} subject={subject} />
              <span className="hint">{formatTime(createdAt)}</span>
            </RowName>
          ),
        },
        { header: 'To', cell: ({ url }) => <span className="wrap-anywhere">{new URL(url).host}</span> },
        { header: 'Status', cell: (delivery) => <DeliveryState delivery={delivery} /> },
        {
          header: 'Answer',
          cell: ({ answer, durationMs }) => (
            <>
              <span className="wrap-anywhere">{answer || (durationMs === null ? '–' : 'Empty')}</span>
              {durationMs !== null && <span className="hint">after {durationMs} ms</span>}
            </>
          ),
        },
        {
          header: 'Action',
          cell: ({ sequence, state }) =>
            state !== 'held' && (
              <RowForm fields={{ act: 'again', sequence: String(sequence), anchor: `delivery-${sequence}` }}>
                <Button variant="quiet" aria-describedby={`delivery-${sequence}`}>
                  {state === 'waiting' ? 'Send now' : 'Send again'}
                </Button>
              </RowForm>
            ),
        },
      ]}
    />
  )
}

function Subject({ type, subject }: { type: string; subject: string }) {
  const [kind, id = ''] = subject.split(':')
  const page = { order: '/dashboard/manageOrders', product: '/dashboard/manageProduct' }[kind ?? '']
  return page ? <a href={`${page}/${encodeURIComponent(id)}`}>{type}</a> : type
}

function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  const { state, status, attempts, dueAt, triedAt } = delivery
  const failure = state === 'delivered' ? '' : status === null ? 'No answer, ' : `Answer ${status}, `
  const last = triedAt !== null && `${failure}${attempts > 1 ? `try ${attempts}, ` : ''}${formatTime(triedAt)}`
  const text = { delivered: 'Delivered', failed: 'Given up', held: 'Held: endpoint is off', waiting: 'Waiting' }[state]
  const tone = state === 'delivered' ? 'success' : state === 'failed' ? 'error' : 'plain'
  return (
    <>
      <Badge tone={tone}>{state === 'delivered' ? `${text} ${status}` : text}</Badge>{' '}
      {last && <span className="hint">{last}</span>}
      {state === 'waiting' && triedAt !== null && dueAt > 0 && (
        <span className="hint">Next try {formatTime(dueAt)}</span>
      )}
    </>
  )
}

function NewSecret({ made }: { made: { secret: string; url: string } }) {
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">The secret of {made.url}</span>}
        lead="Copy it now: no page shows it again. With it, your program checks that an event comes from this shop."
      />
      <p>
        <code className="wrap-anywhere">{made.secret}</code>
      </p>
      <p>
        Give it to the program, as its library of <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>{' '}
        says. Then send a test event: once the program answers it, the endpoint gets events.
      </p>
      <p>
        <ButtonLink href={path}>I have copied it</ButtonLink>
      </p>
    </>
  )
}
