import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/back-to-list.server'
import { submit } from '../../http/forms.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import type { Instrument } from '../../store/catalog/instruments'
import { catalogPath } from '../../store/catalog/catalog'
import { findInstrument, listInstruments } from '../../store/catalog/instruments.server'
import { removeInstrument } from '../../store/catalog/manage-instruments.server'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog, CancelLink } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable, type Refusal } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'

const pageSize = 50
const path = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: 'Manage All Products · Cadenza' }]

/** `?delete=<id>` opens the confirmation, so that it works without scripts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const deleteId = searchParams.get('delete')
  const page = await listInstruments(context, { after, limit: pageSize })
  const onPage = page.instruments.find(({ id }) => id === deleteId)
  return {
    ...page,
    toDelete: onPage ?? (deleteId && (await findInstrument(context, deleteId))),
    after,
  }
}

const Removal = z.object({
  instrumentId: z.string({ error: 'Choose a product' }).max(200),
  anchor: z.string().max(200).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Removal, async ({ instrumentId, anchor }) => {
    await removeInstrument(context, admin.id, instrumentId)
    return toastTo(context, backToList(request, anchor), 'Product Deleted!')
  })
}

export default function ManageProducts() {
  const { instruments, next, toDelete, after } = useLoaderData<typeof loader>()
  const listPath = pageAfter(after)
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = instruments.find(({ id }) => id === field('instrumentId').initialValue)
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
      </PageHeader>
      {!refused && <FormError errors={errors} />}
      {instruments.length > 0 ? (
        <ProductTable instruments={instruments} after={after} refusal={refused && { row: refused, errors }} />
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

function neighbourOf({ id }: Instrument, instruments: Instrument[]): Instrument | undefined {
  const index = instruments.findIndex((each) => each.id === id)
  return instruments[index + 1] ?? instruments[index - 1]
}

interface ProductTableProps {
  instruments: Instrument[]
  after: string | undefined
  refusal: Refusal<Instrument>
}

function ProductTable({ instruments, after, refusal }: ProductTableProps) {
  return (
    <ResponsiveTable
      caption="Manage All Products"
      rows={instruments}
      refusal={refusal}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Name',
          rowHeader: true,
          cell: (instrument) => (
            <a id={instrument.id} href={catalogPath(instrument)}>
              {instrument.name}
            </a>
          ),
        },
        { header: 'Price', numeric: true, cell: ({ priceCents }) => <Price cents={priceCents} /> },
        { header: 'Available Quantity', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
        { header: 'Minimum Order', numeric: true, cell: ({ minQuantity }) => minQuantity },
        {
          header: 'Action',
          cell: ({ id }) => (
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
            </div>
          ),
        },
      ]}
    />
  )
}

function buttonId(instrumentId: string): string {
  return `delete-${instrumentId}`
}

interface DeleteDialogProps {
  instrument: Instrument
  listPath: string
  anchor: string | undefined
}

function DeleteDialog({ instrument, listPath, anchor }: DeleteDialogProps) {
  return (
    <Dialog title={`Delete ${instrument.name}?`}>
      <p>It goes off sale now, and you cannot undo this. Existing orders stay as they are.</p>
      <RowForm className="actions" action={listPath} fields={{ instrumentId: instrument.id, anchor }}>
        <Button variant="danger">Delete Product</Button>{' '}
        <CancelLink href={`${listPath}#${buttonId(instrument.id)}`}>Keep it</CancelLink>
      </RowForm>
    </Dialog>
  )
}
