import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef, type ReactNode } from 'react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { copyPictures, countPicturesElsewhere } from '../../store/catalog/pictures/copy-pictures.server'
import { maxCopiedPictures } from '../../store/shared/limits'
import { parseJson } from '../../store/shared/validation.server'
import { Button, ButtonLink } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const list = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: `Pictures elsewhere · ${shopName}` }]
export const handle = { scripts: true }

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const begins = new URL(request.url).searchParams.has('begin')
  return { elsewhere: await countPicturesElsewhere(context), canStore: context.pictures !== null, begins }
}

const count = z.number().int().min(0).max(1_000_000)
const failures = z.array(z.object({ id: z.string(), name: z.string(), place: z.number(), why: z.string() }))

/** Of those that are named: they go along in a form of 512 KB. */
const mostFailures = 1000

/** What the presses before have done goes along in the form: nothing of it is stored. */
const Step = z.object({
  after: z.string().max(200).default(''),
  copied: count.default(0),
  failed: z
    .string()
    .max(400_000)
    .default('[]')
    .transform((text, { addIssue }) => {
      const read = failures.safeParse(parseJson(text))
      if (!read.success) addIssue('This form has expired. Reload the page.')
      return read.data ?? []
    }),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Step, async ({ after, copied, failed }) => {
    const step = await copyPictures(context, admin, after)
    return data({
      after: step.after,
      copied: copied + step.copied,
      failed: [...failed, ...step.failed].slice(0, mostFailures),
    })
  })
}

export default function CopyPictures() {
  const { elsewhere, canStore, begins } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const result = actionData && 'copied' in actionData ? actionData : null
  const form = formState(actionData && 'lastResult' in actionData ? actionData : undefined)
  const { copied = 0, failed = [], after = '' } = result ?? {}
  const left = elsewhere - failed.length
  const isOver = result !== null && after === null
  return (
    <>
      <PageHeader
        title="Pictures elsewhere"
        lead="Copied here, pictures stay when the other shop goes, and load faster."
      />
      {result && (
        <Notice tone={isOver && failed.length === 0 ? 'success' : 'info'}>
          <p>
            {copied} copied, {failed.length} not. {isOver ? 'All have been tried.' : `${left} to go.`}
          </p>
        </Notice>
      )}
      {!canStore && <p>Files cannot be stored here: the deployment has no bucket or no image service.</p>}
      {canStore && elsewhere > 0 && !isOver && (
        <CopyForm isUnderWay={result !== null || (begins && !actionData)}>
          <FormError errors={form.errors} />
          <input type="hidden" name="after" value={after ?? ''} />
          <input type="hidden" name="copied" value={copied} />
          <input type="hidden" name="failed" value={JSON.stringify(failed)} />
          <p>
            <progress max={copied + elsewhere} value={copied + failed.length} aria-label="Pictures" />
          </p>
          <p className="actions">
            <Button>Copy the next {Math.min(left, maxCopiedPictures)}</Button>{' '}
            <ButtonLink variant="quiet" href={list}>
              Back
            </ButtonLink>
          </p>
        </CopyForm>
      )}
      {elsewhere === 0 && <p>All pictures are here.</p>}
      {failed.length > 0 && (
        <ResponsiveTable
          caption="Still elsewhere"
          captionHidden={false}
          rows={failed}
          rowKey={({ id, place }) => `${id}/${place}`}
          columns={[
            { header: 'Product', rowHeader: true, cell: ({ id, name }) => <a href={`${list}/${id}`}>{name}</a> },
            { header: 'Why', cell: ({ place, why }) => (place > 1 ? `Picture ${place}: ${why}` : why) },
          ]}
        />
      )}
      {(isOver || elsewhere === 0) && (
        <p className="actions">
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>
        </p>
      )}
    </>
  )
}

/** Where scripts run, one press copies all. */
function CopyForm({ isUnderWay, children }: { isUnderWay: boolean; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  const send = useSubmit()
  const { state } = useNavigation()
  useEffect(() => {
    if (isUnderWay && state === 'idle') send(form.current)
  }, [isUnderWay, state, send])
  return (
    <Form className="form" method="post" ref={form}>
      {children}
    </Form>
  )
}
