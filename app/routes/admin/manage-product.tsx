import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/back-to-list.server'
import { submit } from '../../http/forms.server'
import { issueSubmissionIds } from '../../http/submission.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import type { ManagedInstrument } from '../../store/catalog/instruments'
import { catalogPath } from '../../store/catalog/catalog'
import { findManagedInstrument, listManagedInstruments } from '../../store/catalog/instruments.server'
import { changeStock, removeInstrument, setHidden, StockChange } from '../../store/catalog/manage-instruments.server'
import { maxImportLines } from '../../store/limits'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog, CancelLink } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { SubmissionId } from '../../ui/submission-id'

const pageSize = 50
const path = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: 'Manage All Products · Cadenza' }]

/** `?delete=<id>` opens the confirmation, so that it works without scripts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const deleteId = searchParams.get('delete')
  const page = await listManagedInstruments(context, { after, limit: pageSize })
  const onPage = page.instruments.find(({ id }) => id === deleteId)
  const toDelete = onPage ?? (deleteId && (await findManagedInstrument(context, deleteId)))
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ ...page, toDelete, after, submissionIds }, { headers })
}

const instrumentId = z.string({ error: 'Choose a product' }).max(200)

const Command = z.discriminatedUnion(
  'command',
  [
    z.object({ command: z.literal('delete'), instrumentId, anchor: z.string().max(200).optional() }),
    z.object({ command: z.enum(['hide', 'show']), instrumentId }),
    StockChange.extend({ command: z.literal('stock'), instrumentId }),
  ],
  { error: 'What is to be done?' },
)

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Command, async (input) => {
    const id = input.instrumentId
    const backTo = (anchor: string | undefined, message: string, type?: 'info') =>
      toastTo(context, backToList(request, anchor), message, type && { type })
    if (input.command === 'delete') {
      await removeInstrument(context, admin.id, id)
      return backTo(input.anchor, 'Product Deleted!')
    }
    if (input.command === 'stock') {
      const { isRepeat } = await changeStock(context, admin, id, input)
      if (isRepeat) return backTo(id, 'You already made this change. It was not made twice.', 'info')
      return backTo(id, input.direction === 'in' ? `${input.pieces} added.` : `${input.pieces} taken out.`)
    }
    await setHidden(context, admin, id, input.command === 'hide')
    return backTo(id, input.command === 'hide' ? 'Product hidden.' : 'Product shown again.')
  })
}

export default function ManageProducts() {
  const { instruments, next, toDelete, after, everListed } = useLoaderData<typeof loader>()
  const listPath = pageAfter(after)
  const form = formState(useActionData<typeof action>())
  const refused = instruments.find(({ id }) => id === form.field('instrumentId').initialValue)
  return (
    <>
      {toDelete && (
        <DeleteDialog
          key={toDelete.id}
          instrument={toDelete}
          listPath={listPath}
          anchor={neighbourOf(toDelete, instruments)?.id}
        />
      )}
      <PageHeader title="Manage All Products">
        <p className="actions">
          <ButtonLink variant="quiet" href={`${path}.csv`}>
            Export CSV
          </ButtonLink>{' '}
          <ButtonLink variant="quiet" href={`${path}/import`}>
            Import CSV
          </ButtonLink>
        </p>
        {everListed > maxImportLines && (
          <p>
            An import takes {maxImportLines.toLocaleString('en-US')} products at a time:{' '}
            <a href={`${path}/import`}>export in parts</a>.
          </p>
        )}
      </PageHeader>
      {!refused && <FormError errors={form.errors} />}
      {instruments.length > 0 ? (
        <ProductTable instruments={instruments} after={after} refused={refused} form={form} />
      ) : (
        <EmptyState title="Nothing on sale" link={{ href: '/dashboard/addProduct', text: 'Add Product' }}>
          Products that you add appear here and in the shop.
        </EmptyState>
      )}
      <Pager first={after === undefined ? null : path} next={next && pageAfter(next)} />
    </>
  )
}

function pageAfter(after: string | undefined): string {
  return after === undefined ? path : `${path}?after=${encodeURIComponent(after)}`
}

function neighbourOf({ id }: ManagedInstrument, instruments: ManagedInstrument[]): ManagedInstrument | undefined {
  const index = instruments.findIndex((each) => each.id === id)
  return instruments[index + 1] ?? instruments[index - 1]
}

interface ProductTableProps {
  instruments: ManagedInstrument[]
  after: string | undefined
  refused: ManagedInstrument | undefined
  form: FormState
}

function ProductTable({ instruments, after, refused, form }: ProductTableProps) {
  return (
    <ResponsiveTable
      caption="Manage All Products"
      rows={instruments}
      refusal={refused && { row: refused, errors: form.errors }}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Name',
          rowHeader: true,
          cell: (instrument) => (
            <>
              <a id={instrument.id} href={catalogPath(instrument)}>
                {instrument.name}
              </a>{' '}
              {instrument.hidden === 1 && <Badge>Hidden</Badge>}
            </>
          ),
        },
        { header: 'Price', numeric: true, cell: ({ priceCents }) => <Price cents={priceCents} /> },
        { header: 'Available Quantity', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
        { header: 'Minimum Order', numeric: true, cell: ({ minQuantity }) => minQuantity },
        {
          header: 'Action',
          cell: ({ id, hidden }) => (
            <>
              <div className="actions">
                <ButtonLink variant="quiet" href={`${path}/${id}`} aria-describedby={id}>
                  Edit
                </ButtonLink>
                <form method="get" action={path}>
                  {after !== undefined && <input type="hidden" name="after" value={after} />}
                  <input type="hidden" name="delete" value={id} />
                  <Button variant="quiet" id={buttonId(id)} aria-describedby={id}>
                    Delete Product
                  </Button>
                </form>
                <RowForm fields={{ instrumentId: id }}>
                  <Button variant="quiet" name="command" value={hidden ? 'show' : 'hide'} aria-describedby={id}>
                    {hidden ? 'Show' : 'Hide'}
                  </Button>
                </RowForm>
              </div>
              <details open={refused?.id === id}>
                <summary aria-describedby={id}>Stock and more</summary>
                <StockForm id={id} form={refused?.id === id ? form : formState(undefined)} />
                <div className="actions">
                  <a href={`/dashboard/addProduct?from=${encodeURIComponent(id)}`} aria-describedby={id}>
                    Duplicate
                  </a>{' '}
                  <a href={`${path}/${id}/history`} aria-describedby={id}>
                    History
                  </a>
                </div>
              </details>
            </>
          ),
        },
      ]}
    />
  )
}

function StockForm({ id, form }: { id: string; form: FormState }) {
  const { submissionIds } = useLoaderData<typeof loader>()
  return (
    <RowForm className="form" fields={{ command: 'stock', instrumentId: id }}>
      <SubmissionId form={form} issued={submissionIds} />
      <Field label="Pieces" {...form.field('pieces')} id={`${id}-pieces`} inputMode="numeric" required />
      <Field label="Reason" {...form.field('reason')} id={`${id}-reason`} maxLength={200} />
      <p className="actions">
        <Button variant="quiet" name="direction" value="in" aria-describedby={id}>
          Add
        </Button>{' '}
        <Button variant="quiet" name="direction" value="out" aria-describedby={id}>
          Take out
        </Button>
      </p>
    </RowForm>
  )
}

function buttonId(instrumentId: string): string {
  return `delete-${instrumentId}`
}

interface DeleteDialogProps {
  instrument: ManagedInstrument
  listPath: string
  anchor: string | undefined
}

function DeleteDialog({ instrument, listPath, anchor }: DeleteDialogProps) {
  return (
    <Dialog title={`Delete ${instrument.name}?`}>
      <p>It goes off sale now, and you cannot undo this. Existing orders stay as they are.</p>
      <RowForm
        className="actions"
        action={listPath}
        fields={{ command: 'delete', instrumentId: instrument.id, anchor }}
      >
        <Button variant="danger">Delete Product</Button>{' '}
        <CancelLink href={`${listPath}#${buttonId(instrument.id)}`}>Keep it</CancelLink>
      </RowForm>
    </Dialog>
  )
}
