import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useNavigate, useNavigation } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/visitor.server'
import type { Instrument } from '../../store/catalogue'
import { findInstrument, listInstruments } from '../../store/catalogue.server'
import { removeInstrument } from '../../store/stockroom.server'
import { Button } from '../../ui/button'
import { Dialog, WayOut } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { StackTable } from '../../ui/stack-table'

const pageSize = 50
const path = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: 'Manage All Products · Cadenza' }]

/** With `?delete=<id>` the page asks whether to: the question has an address, so it works without scripts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const doomed = searchParams.get('delete')
  const page = await listInstruments(context, { after, limit: pageSize })
  const onPage = page.instruments.find(({ id }) => id === doomed)
  return {
    ...page,
    toDelete: onPage ?? (doomed && (await findInstrument(context, doomed))),
    isFirst: after === undefined,
  }
}

const Removal = z.object({ instrumentId: z.string({ error: 'Which product?' }).max(200) })

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Removal, async ({ instrumentId }) => {
    await removeInstrument(context, admin.id, instrumentId)
    return toastTo(context, path, 'Product Deleted!')
  })
}

export default function ManageProducts() {
  const { instruments, next, toDelete, isFirst } = useLoaderData<typeof loader>()
  const refusal = formState(useActionData<typeof action>()).errors?.[0]
  return (
    <>
      {toDelete && <DeleteDialog key={toDelete.id} instrument={toDelete} />}
      <PageHeader title="Manage All Products" />
      {refusal && <Notice tone="error">{refusal}</Notice>}
      {instruments.length > 0 ? (
        <ProductTable instruments={instruments} />
      ) : (
        <EmptyState title="Nothing on sale" link={{ href: '/dashboard/addProduct', text: 'Add Product' }}>
          What you add stands here, and in the shop.
        </EmptyState>
      )}
      <Pager first={isFirst ? null : path} next={next && `${path}?after=${encodeURIComponent(next)}`} />
    </>
  )
}

function ProductTable({ instruments }: { instruments: Instrument[] }) {
  return (
    <StackTable
      caption="Manage All Products"
      rows={instruments}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', rowHeader: true, cell: ({ id, name }) => <span id={id}>{name}</span> },
        { header: 'Price', numeric: true, cell: ({ priceCents }) => <Price cents={priceCents} /> },
        { header: 'Available Quantity', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
        { header: 'Minimum Order', numeric: true, cell: ({ minQuantity }) => minQuantity },
        {
          header: 'Action',
          cell: ({ id }) => (
            <div className="actions">
              <Link className="button button-quiet" to={`${path}/${id}`} aria-describedby={id}>
                Edit
              </Link>
              <Form method="get" preventScrollReset>
                <input type="hidden" name="delete" value={id} />
                <Button variant="quiet" aria-describedby={id}>
                  Delete Product
                </Button>
              </Form>
            </div>
          ),
        },
      ]}
    />
  )
}

function DeleteDialog({ instrument }: { instrument: Instrument }) {
  const navigate = useNavigate()
  const busy = useNavigation().formMethod === 'POST'
  return (
    <Dialog title={`Delete ${instrument.name}?`} onClose={() => navigate(path, { preventScrollReset: true })}>
      <p>It goes off sale at once and for good. Orders of it stay as they are.</p>
      <Form className="actions" method="post" action={path}>
        <input type="hidden" name="instrumentId" value={instrument.id} />
        <Button variant="danger" busy={busy}>
          Delete Product
        </Button>
        <WayOut to={path}>Keep it</WayOut>
      </Form>
    </Dialog>
  )
}
