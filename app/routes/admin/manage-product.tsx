import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import type { ManagedInstrument } from '../../store/catalog/instruments'
import { catalogPath } from '../../store/catalog/catalog'
import { familyOptions, managedFamilyName } from '../../store/catalog/managed-families'
import { findManagedInstrument, listManagedInstruments } from '../../store/catalog/instruments.server'
import {
  changeStock,
  removeInstrument,
  setAllHidden,
  setHidden,
  setStock,
  StockChange,
  StockCount,
} from '../../store/catalog/manage-instruments.server'
import { productQueryFields, readProductQuery, type ProductQuery } from '../../store/catalog/search/managed-search'
import { searchManaged } from '../../store/catalog/search/search-managed.server'
import { newId } from '../../store/shared/ids.server'
import { Refusal } from '../../store/shared/refusal'
import { maxImportLines, maxSelected } from '../../store/shared/limits'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Picture } from '../../ui/catalog/picture'
import { selectionForm, SelectionBar } from '../../ui/dashboard/selection-bar'
import { Dialog, CancelLink } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { Fold } from '../../ui/fold'
import { FormError, formErrorId } from '../../ui/form-error'
import type { Undo } from '../../ui/toast'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { RowForm } from '../../ui/row-form'
import { Select } from '../../ui/select'
import { SubmissionId } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const pageSize = maxSelected
const path = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: `Manage All Products · ${shopName}` }]

/** `?delete=<id>` opens the confirmation, so that it works without scripts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const deleteId = searchParams.get('delete')
  const query = readProductQuery(searchParams)
  const isAllSelected = searchParams.get('select') === 'all'
  const page = isSearch(query)
    ? { ...(await searchManaged(context, query, pageSize)), next: null, everListed: 0 }
    : { ...(await listManagedInstruments(context, { after, limit: pageSize })), hasMore: false }
  const onPage = page.instruments.find(({ id }) => id === deleteId)
  const toDelete = onPage ?? (deleteId && (await findManagedInstrument(context, deleteId)))
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ ...page, toDelete, after, query, isAllSelected, submissionIds }, { headers })
}

/** Otherwise the list in the order in which the products were listed, by its cursor: however long it is. */
function isSearch(query: ProductQuery): boolean {
  return productQueryFields(query).length > 0
}

const instrumentId = z.string({ error: 'Choose a product' }).max(200)

const Command = z.discriminatedUnion(
  'command',
  [
    z.object({ command: z.literal('delete'), instrumentId, anchor: z.string().max(200).optional() }),
    z.object({ command: z.enum(['hide', 'show']), instrumentId }),
    StockChange.extend({ command: z.literal('stock'), instrumentId }),
    StockCount.extend({ command: z.literal('count'), instrumentId }),
    z.object({ command: z.enum(['hide-all', 'show-all']), product: z.array(z.string().max(200)).max(maxSelected) }),
  ],
  { error: 'What is to be done?' },
)

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const here = backToList(request, undefined)
  return submit({ request, context }, Command, async (input) => {
    if ('product' in input) {
      if (input.product.length === 0) throw new Refusal('invalid', 'Select the products first.')
      const isHidden = input.command === 'hide-all'
      const ids = await setAllHidden(context, admin, input.product, isHidden)
      const fields: Undo['fields'] = [
        ['command', isHidden ? 'show-all' : 'hide-all'],
        ...ids.map((id): [string, string] => ['product', id]),
      ]
      const undo = ids.length > 0 ? { action: here, fields } : undefined
      return toastTo(context, here, `${ids.length} ${isHidden ? 'hidden' : 'shown again'}.`, { undo })
    }
    const id = input.instrumentId
    const backTo = (
      anchor: string | undefined,
      message: string,
      options?: { type?: 'info'; undo?: Undo | undefined },
    ) => toastTo(context, backToList(request, anchor), message, options)
    const undoBy = (fields: Record<string, string>): Undo => ({
      action: here,
      fields: Object.entries({ instrumentId: id, ...fields }),
    })
    if (input.command === 'delete') {
      await removeInstrument(context, admin.id, id)
      return backTo(input.anchor, 'Product Deleted!')
    }
    if (input.command === 'count') {
      const { availableQuantity: quantity, expected, submissionId } = input
      const isChanged = await setStock(context, admin, id, { quantity, expected, reason: '', submissionId })
      const undo = undoBy({
        ...{ command: 'stock', direction: quantity > expected ? 'out' : 'in' },
        ...{ pieces: String(Math.abs(quantity - expected)), reason: 'Undo', submissionId: newId() },
      })
      return backTo(id, isChanged ? `${quantity} available.` : 'Nothing was changed.', isChanged ? { undo } : {})
    }
    if (input.command === 'stock') {
      const { isRepeat } = await changeStock(context, admin, id, input)
      if (isRepeat) return backTo(id, 'You already made this change. It was not made twice.', { type: 'info' })
      const isIn = input.direction === 'in'
      // Changes add up: what others changed since stays.
      const undo = undoBy({
        ...{ command: 'stock', direction: isIn ? 'out' : 'in', pieces: String(input.pieces) },
        ...{ reason: 'Undo', submissionId: newId() },
      })
      return backTo(id, `${input.pieces} ${isIn ? 'added' : 'taken out'}.`, { undo })
    }
    const isHidden = input.command === 'hide'
    const isChanged = await setHidden(context, admin, id, isHidden)
    const undo = isChanged ? undoBy({ command: isHidden ? 'show' : 'hide' }) : undefined
    return backTo(id, isHidden ? 'Product hidden.' : 'Product shown again.', { undo })
  })
}

export default function ManageProducts() {
  const { instruments, next, toDelete, after, everListed, query, hasMore, isAllSelected } =
    useLoaderData<typeof loader>()
  const here = listPath(query, after)
  const form = formState(useActionData<typeof action>())
  const refused = instruments.find(({ id }) => id === form.field('instrumentId').initialValue)
  const turn = (page: number) => listPath({ ...query, page }, undefined)
  return (
    <>
      {toDelete && (
        <DeleteDialog
          key={toDelete.id}
          instrument={toDelete}
          listPath={here}
          anchor={neighbourOf(toDelete, instruments)?.id}
        />
      )}
      <div className="desk-head">
        <PageHeader title="Manage All Products" />
        <SearchForm query={query} />
      </div>
      {!refused && <FormError errors={form.errors} />}
      {instruments.length > 0 ? (
        <div>
          <ProductTable instruments={instruments} after={after} refused={refused} form={form} />
          <SelectionBar
            action={`${here}#${formErrorId}`}
            fields={listFields(query, after)}
            selectAll={{
              href: isAllSelected ? here : `${here}${here.includes('?') ? '&' : '?'}select=all`,
              isOn: isAllSelected,
            }}
          >
            <Button variant="quiet" formMethod="get" formAction={`${path}/several`}>
              Change selected
            </Button>{' '}
            <Button variant="quiet" name="command" value="hide-all">
              Hide selected
            </Button>{' '}
            <Button variant="quiet" name="command" value="show-all">
              Show selected
            </Button>{' '}
            <Button variant="quiet" formMethod="get" formAction={`${path}.csv`}>
              Export
            </Button>
          </SelectionBar>
        </div>
      ) : (
        <NothingFound query={query} />
      )}
      {isSearch(query) ? (
        <Pager previous={query.page > 1 ? turn(query.page - 1) : null} next={hasMore ? turn(query.page + 1) : null} />
      ) : (
        <Pager first={after === undefined ? null : path} next={next && listPath(query, next)} />
      )}
      <p className="actions">
        <a href="/dashboard/addProduct">Add a product</a> <a href={`${path}.csv`}>Export CSV</a>{' '}
        <a href={`${path}/import`}>Import CSV</a>
      </p>
      {everListed > maxImportLines && (
        <p>
          An import takes {maxImportLines.toLocaleString('en-US')} products at a time:{' '}
          <a href={`${path}/import`}>export in parts</a>.
        </p>
      )}
    </>
  )
}

function NothingFound({ query }: { query: ProductQuery }) {
  if (isSearch(query)) {
    return (
      <EmptyState title="Nothing matches" link={{ href: path, text: 'See all products' }}>
        Search by a part of the name, the brand or the article number, and see that family and state fit.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing on sale" link={{ href: '/dashboard/addProduct', text: 'Add Product' }}>
      Products that you add appear here and in the shop.
    </EmptyState>
  )
}

const stateOptions = [
  { value: '', text: 'All' },
  { value: 'on-sale', text: 'On sale' },
  { value: 'hidden', text: 'Hidden' },
  { value: 'sold-out', text: 'Sold out' },
  { value: 'low', text: 'Low' },
]
const sortOptions = [
  { value: '', text: 'As listed' },
  { value: 'name', text: 'Name' },
  { value: 'price', text: 'Highest price' },
  { value: 'stock', text: 'Lowest stock' },
]

function SearchForm({ query: { q, family, state, sort } }: { query: ProductQuery }) {
  return (
    <search>
      <form className="desk-search" action={path}>
        <Field label="Search" name="q" type="search" initialValue={q} placeholder="Name or brand" />
        <Fold title="Filter" isOpen={Boolean(family || state || sort)}>
          <div>
            <Select label="Family" name="family" options={familyOptions('All')} initialValue={family} errors={null} />
            <Select label="State" name="state" options={stateOptions} initialValue={state} errors={null} />
            <Select label="Sort by" name="sort" options={sortOptions} initialValue={sort} errors={null} />
          </div>
        </Fold>
        <Button variant="quiet">Search</Button>
      </form>
    </search>
  )
}

/** What is searched for, and the page of it; `after` is the cursor of the list as listed. */
function listFields(query: ProductQuery, after: string | undefined): [name: string, value: string][] {
  const fields = productQueryFields(query)
  if (after !== undefined) fields.push(['after', after])
  else if (query.page > 1) fields.push(['page', String(query.page)])
  return fields
}

function listPath(query: ProductQuery, after: string | undefined): string {
  const params = new URLSearchParams(listFields(query, after))
  return params.size > 0 ? `${path}?${params}` : path
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

/** One line a product. */
function ProductTable({ instruments, after, refused, form }: ProductTableProps) {
  return (
    <table className="desk-table products-table">
      <caption className="sr-only">Manage All Products</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Select</span>
          </th>
          <th scope="col">Name</th>
          <th scope="col">Family</th>
          <th scope="col" className="numeric">
            Price
          </th>
          <th scope="col" className="numeric">
            Available
          </th>
          <th scope="col" className="numeric">
            Minimum
          </th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {instruments.map((instrument) => (
          <ProductRow
            key={instrument.id}
            instrument={instrument}
            after={after}
            form={refused === instrument ? form : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

interface ProductRowProps {
  instrument: ManagedInstrument
  after: string | undefined
  /** Of a refused change of this product. */
  form: FormState | undefined
}

function ProductRow({ instrument, after, form }: ProductRowProps) {
  const { query, isAllSelected } = useLoaderData<typeof loader>()
  const { id, name, hidden, family } = instrument
  return (
    <tr className="product-row">
      <td className="cell-select">
        <label>
          <input
            type="checkbox"
            form={selectionForm}
            name="product"
            value={id}
            defaultChecked={isAllSelected}
            aria-label={`Select ${name}`}
          />
        </label>
      </td>
      <th scope="row" className="cell-name" aria-labelledby={id}>
        <Picture img={instrument.img} alt="" width={36} sizes="36px" lazy />
        <a id={id} href={`${path}/${id}`}>
          {name}
        </a>{' '}
        {hidden === 1 && <Badge>Hidden</Badge>}
      </th>
      <td className="cell-family">{managedFamilyName(family)}</td>
      <td className="cell-price numeric" data-label="Price">
        <Price cents={instrument.priceCents} />
      </td>
      <td className="cell-stock numeric" data-label="Available">
        <StockForm instrument={instrument} form={form} />
      </td>
      <td className="cell-minimum numeric" data-label="Minimum">
        {instrument.minQuantity}
      </td>
      <td className="cell-action">
        <div className="row-actions">
          <details>
            <summary aria-describedby={id}>More</summary>
            <p className="actions">
              <a href={`/dashboard/addProduct?from=${encodeURIComponent(id)}`} aria-describedby={id}>
                Duplicate
              </a>{' '}
              <a href={`${path}/${id}/history`} aria-describedby={id}>
                History
              </a>{' '}
              <a href={catalogPath(instrument)} aria-describedby={id}>
                In the shop
              </a>
            </p>
          </details>
          <RowForm fields={{ instrumentId: id }}>
            <Button variant="quiet" name="command" value={hidden ? 'show' : 'hide'} aria-describedby={id}>
              {hidden ? 'Show' : 'Hide'}
            </Button>
          </RowForm>
          <form method="get" action={path}>
            {listFields(query, after).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            <input type="hidden" name="delete" value={id} />
            <Button variant="quiet" id={buttonId(id)} aria-describedby={id}>
              Delete Product
            </Button>
          </form>
        </div>
        <FormError errors={form && (form.errors ?? form.fieldErrors[0]?.errors)} />
      </td>
    </tr>
  )
}

/** In the cell: its button shows while one is in it. Of a refused change, `form` has what was typed. */
function StockForm({ instrument, form }: { instrument: ManagedInstrument; form: FormState | undefined }) {
  const { submissionIds } = useLoaderData<typeof loader>()
  const { id, name, availableQuantity } = instrument
  const isTyped = form?.field('command').initialValue === 'count'
  const isLow = instrument.hidden === 0 && availableQuantity <= (instrument.lowStock ?? instrument.minQuantity - 1)
  return (
    <RowForm
      className={isLow ? 'stock-form low' : 'stock-form'}
      fields={{ command: 'count', instrumentId: id, expected: String(availableQuantity) }}
    >
      <SubmissionId form={isTyped ? form : formState(undefined)} issued={submissionIds} />
      {isLow && <small>Low</small>}
      <input
        name="availableQuantity"
        aria-label={`Available of ${name}`}
        defaultValue={isTyped ? form.field('availableQuantity').initialValue : availableQuantity}
        inputMode="numeric"
        autoComplete="off"
        size={4}
      />
      <Button variant="quiet" aria-describedby={id}>
        Save
      </Button>
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
