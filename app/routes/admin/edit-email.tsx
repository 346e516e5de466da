import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { blockMeanings, defaultEmailWords, emailKinds, isEmailKind, variablesOf } from '../../store/email/words.server'
import {
  emailWordLabels,
  emailWordsCommand,
  exampleOf,
  maxEmailText,
  readEmail,
  saveEmailWords,
  sendExample,
} from '../../store/settings/email-settings.server'
import { Button, ButtonLink } from '../../ui/button'
import { SettingsHistory } from '../../ui/dashboard/settings'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const list = '/dashboard/settings/emails'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Email: ${data?.label ?? 'not found'} · ${shopName}` },
]

function kindOf(id: string | undefined) {
  if (id === undefined || !isEmailKind(id)) throw new Response(null, { status: 404 })
  return id
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const kind = kindOf(params.id)
  const { label, sent, blocks } = emailKinds[kind]
  const variables = Object.entries(variablesOf(kind)).map(([name, { means, needed }]) => ({
    ...{ name, means, needed: needed ?? false },
  }))
  const own = blocks.map((name) => ({ name, means: blockMeanings[name], needed: true }))
  return {
    ...(await readEmail(context, kind)),
    ...{ kind, label, sent, variables: [...variables, ...own], labels: emailWordLabels },
    ...{ defaults: defaultEmailWords(kind), hasButton: defaultEmailWords(kind).button !== '', maxEmailText },
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const kind = kindOf(params.id)
  const path = `${list}/${kind}`
  return submit({ request, context }, emailWordsCommand(kind), async (command) => {
    if (command.intent === 'default') {
      await saveEmailWords(context, admin, kind, { ...defaultEmailWords(kind), ...command })
      return toastTo(context, path, 'The default is back.')
    }
    const { intent, version, seen, ...words } = command
    if (intent === 'save') {
      await saveEmailWords(context, admin, kind, { ...words, version, seen })
      return toastTo(context, path, 'Saved.')
    }
    if (intent === 'test') await sendExample(context, admin, kind, words)
    // The form as it was sent: nothing is stored.
    const initialValue = { ...words, version: String(version), ...(seen !== undefined && { seen: String(seen) }) }
    return data({
      lastResult: { initialValue },
      example: intent === 'preview' ? exampleOf(context, kind, words) : null,
      sentTo: intent === 'test' ? admin.email : null,
    })
  })
}

export default function EditEmail() {
  const { kind, label, sent, labels, words, version, versions, isOwn, variables, defaults, hasButton, maxEmailText } =
    useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const form = formState(result, { ...words, version: String(version) })
  const seen = form.errors && form.fieldErrors.length > 0 ? version : form.field('seen').initialValue
  const example = result && 'example' in result ? result.example : null
  const sentTo = result && 'sentTo' in result ? result.sentTo : null
  return (
    <>
      <PageHeader title={`Email: ${label}`} lead={sent}>
        <p className="actions">
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>
        </p>
      </PageHeader>
      {sentTo && <Notice tone="success">A test is on its way to {sentTo}. Your words are not saved yet.</Notice>}
      {example && <Preview {...example} />}
      <form className="form page-form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <FormError errors={form.errors} />
        <input type="hidden" name="version" value={form.field('version').initialValue} />
        {/* After a conflict, saving again replaces the other change. */}
        {seen && <input type="hidden" name="seen" value={seen} />}
        <Field label={labels.subject} {...form.field('subject')} required />
        <Field
          label={labels.text}
          {...form.field('text')}
          rows={16}
          hint={`Plain text, at most ${maxEmailText.toLocaleString('en-US')} characters. An empty line begins a paragraph; one whose variable has no value is left out.`}
          required
        />
        {hasButton && <Field label={labels.button} {...form.field('button')} required />}
        <Variables variables={variables} />
        <p className="actions save-bar">
          <Button name="intent" value="save">
            Save
          </Button>{' '}
          <Button name="intent" value="preview" variant="quiet">
            Preview
          </Button>{' '}
          <Button name="intent" value="test" variant="quiet">
            Send me a test
          </Button>
        </p>
      </form>
      {isOwn && <Default kind={kind} version={version} {...defaults} />}
      <SettingsHistory versions={versions} />
    </>
  )
}

function Variables({ variables }: { variables: { name: string; means: string; needed: boolean }[] }) {
  return (
    <section aria-labelledby="variables">
      <h2 id="variables">Variables</h2>
      <dl className="facts email-variables">
        {variables.map(({ name, means, needed }) => (
          <div key={name}>
            <dt>{`{${name}}`}</dt>
            <dd>
              {means}
              {needed && <span className="hint"> needed</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** In both forms that are sent: email clients choose one. */
function Preview({ subject, text, html }: { subject: string; text: string; html: string }) {
  return (
    <section className="notice" aria-labelledby="preview">
      <h2 id="preview">Preview, not saved: {subject}</h2>
      <iframe className="email-preview" title="As HTML" sandbox="" srcDoc={html} />
      <h3>As plain text</h3>
      <pre className="email-text">{text}</pre>
    </section>
  )
}

interface DefaultProps {
  kind: string
  version: number
  subject: string
  text: string
  button: string
}

function Default({ kind, version, subject, text, button }: DefaultProps) {
  return (
    <details className="section">
      <summary>Back to the default</summary>
      <form method="post" action={`${list}/${kind}?send`}>
        <input type="hidden" name="version" value={version} />
        <p>{subject}</p>
        <pre className="email-text">{text}</pre>
        {button && <p>{button}</p>}
        <Button variant="quiet" name="intent" value="default">
          Back to the default
        </Button>
      </form>
    </details>
  )
}
