import {
  data,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { starterFactsOf } from '../../http/config.server'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import {
  addPage,
  changePage,
  deletePage,
  findPage,
  type ManagedPage,
  PageCommand,
  type PageForm,
} from '../../store/pages/manage-pages.server'
import { renderMarkdown } from '../../store/pages/markdown.server'
import { footerWords, maxPageText, pagePath, underOwnTitle } from '../../store/pages/pages'
import { starters } from '../../store/pages/starters.server'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Select } from '../../ui/select'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const list = '/dashboard/settings/pages'
const formId = 'page'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page ? `Edit ${data.page.title}` : 'Add a page'} · ${shopName}` },
]

interface Editor {
  page: ManagedPage | null
  text: { title: string; slug: string; body: string; footer: string }
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const editor =
    params.id === 'new' ? newPage(context, new URL(request.url).searchParams) : await readPage(context, params.id!)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, `${list}/new`)
  return data({ ...editor, submissionIds }, { headers })
}

function newPage(context: AppLoadContext, query: URLSearchParams): Editor {
  const starter = starters(starterFactsOf(context)).find(({ name }) => name === query.get('starter'))
  const { title = '', slug = '', body = '', footer = '' } = starter ?? {}
  return { page: null, text: { title, slug, body, footer } }
}

async function readPage(context: AppLoadContext, id: string): Promise<Editor> {
  const page = await findPage(context, id)
  if (!page) throw new Response(null, { status: 404 })
  const { title, slug, body, footer } = page
  return { page, text: { title, slug, body, footer } }
}

const done = {
  save: (title: string) => `${title}: the draft is saved.`,
  publish: (title: string) => `${title} is published.`,
  withdraw: (title: string) => `${title} is a draft again.`,
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, PageCommand, async (command) => {
    if (command.intent === 'delete') {
      await deletePage(context, admin, id)
      return toastTo(context, list, 'The page is deleted.')
    }
    const { intent, ...input } = command
    if (intent === 'preview') return previewOf(input)
    const saved = id === 'new' ? await addPage(context, admin, { ...input, intent }) : { id }
    if (id !== 'new') await changePage(context, admin, id, { ...input, intent })
    return toastTo(context, `${list}/${saved.id}`, done[intent](input.title))
  })
}

/** The form as it was sent, and the text as visitors would read it. Nothing is stored. */
function previewOf(input: Omit<PageForm, 'intent'>) {
  const { title, slug, body, footer, version, submissionId } = input
  const initialValue = {
    ...{ title, slug, body, footer },
    ...(version !== undefined && { version: String(version) }),
    ...(submissionId && { submissionId }),
  }
  return data({ lastResult: { initialValue }, preview: { title, html: renderMarkdown(body) } })
}

const places = [
  { value: '', text: 'No link' },
  ...footerWords.map((word) => ({ value: word, text: word })),
  { value: underOwnTitle, text: 'Under its own title, below the legal ones' },
]

export default function EditPage() {
  const { page, text, submissionIds } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const preview = result && 'preview' in result ? result.preview : null
  const form = formState(result, { ...text, version: String(page?.version ?? '') })
  const version = form.field('version')
  const isPublished = page !== null && page.publishedAt !== null
  return (
    <>
      <PageHeader title={page ? `Edit ${page.title}` : 'Add a page'} lead={leadOf(page)}>
        <p className="actions">
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>{' '}
          {isPublished && (
            <ButtonLink variant="quiet" href={pagePath(page.slug)}>
              See it in the shop
            </ButtonLink>
          )}
        </p>
      </PageHeader>
      {preview && <Preview {...preview} />}
      <form id={formId} className="form page-form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        {page === null && <SubmissionId form={form} issued={submissionIds} />}
        {/* After a conflict, saving again puts this text above the other one; other errors keep the version. */}
        {page && <input type="hidden" name="version" value={version.errors ? page.version : version.initialValue} />}
        <Field label="Title" {...form.field('title')} required />
        <Field
          label="Address"
          {...form.field('slug')}
          hint="The end of /pages/… in small letters, like terms-of-use. A former address leads to the new one."
          required
        />
        <Field label="Text" {...form.field('body')} rows={20} hint={<Markdown />} required />
        <Select label="Link in the footer" options={places} {...form.field('footer')} />
        <FormError errors={form.errors} />
        <p className="actions save-bar">
          {/* Enter in a field of a draft presses the first button, which must not be Publish. */}
          {!isPublished && <button className="sr-only" name="intent" value="save" tabIndex={-1} aria-hidden="true" />}
          <Button name="intent" value="publish">
            Publish
          </Button>{' '}
          <Button name="intent" value="save" variant="quiet">
            Save draft
          </Button>{' '}
          <Button name="intent" value="preview" variant="quiet">
            Preview
          </Button>
        </p>
      </form>
      {page && (isPublished ? <Withdraw /> : <Delete id={page.id} />)}
    </>
  )
}

function leadOf(page: { publishedAt: number | null; hasDraft: boolean } | null): string {
  if (page === null) return 'Nobody sees it until you publish it.'
  if (page.publishedAt === null) return 'A draft: only admins see it.'
  return page.hasDraft ? 'Published. This draft has changes that visitors do not see yet.' : 'Published.'
}

function Markdown() {
  return (
    <>
      Markdown: ## heading, **bold**, *italic*, - list, [text](https://example.com). At most{' '}
      {maxPageText.toLocaleString('en-US')} characters, no HTML and no pictures.
    </>
  )
}

function Preview({ title, html }: { title: string; html: string }) {
  return (
    <section className="notice" aria-labelledby="preview">
      <h2 id="preview">Preview, not saved: {title}</h2>
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  )
}

/** With the text as it stands in the form, which becomes the draft. */
function Withdraw() {
  return (
    <details className="section">
      <summary>Take this page out of the shop</summary>
      <p>It becomes a draft. Its address leads nowhere then, and its word in the footer is no link.</p>
      <Button form={formId} variant="quiet" name="intent" value="withdraw">
        Withdraw
      </Button>
    </details>
  )
}

function Delete({ id }: { id: string }) {
  return (
    <details className="section">
      <summary>Delete this page</summary>
      <form method="post" action={`${list}/${id}?send`}>
        <p>Its text and addresses are gone then.</p>
        <Button variant="danger" name="intent" value="delete">
          Delete for good
        </Button>
      </form>
    </details>
  )
}
