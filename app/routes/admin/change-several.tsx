import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { changeMany, findSeveral, type BulkChange } from '../../store/catalog/bulk-changes.server'
import type { ManagedInstrument } from '../../store/catalog/instruments'
import { pictureUpload, storePicture } from '../../store/catalog/pictures/pictures.server'
import { productQueryFields, readProductQuery } from '../../store/catalog/search/managed-search'
import { sellingPrice, typedDollarsInCents } from '../../store/shared/dollars.server'
import { newId } from '../../store/shared/ids.server'
import { dollarsText } from '../../store/shared/money'
import { quantityField, submissionIdField } from '../../store/shared/validation.server'
import { Button, ButtonLink } from '../../ui/button'
import { Picture } from '../../ui/catalog/picture'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import type { Undo } from '../../ui/toast'
import { shopName } from '../../shop-name'

const most = 25
const list = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: `Change products · ${shopName}` }]

/** Of the products that were ticked. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const ids = searchParams.getAll('product')
  const instruments = ids.length > 0 ? await findSeveral(context, ids.slice(0, most)) : []
  const { submissionIds, headers } = await issueSubmissionIds(request, context, `${list}/several`)
  const canUpload = context.pictures !== null
  return data(
    { instruments, isCut: ids.length > most, canUpload, back: backTo(searchParams), submissionIds },
    { headers },
  )
}

function backTo(params: URLSearchParams): string {
  const query = new URLSearchParams(productQueryFields(readProductQuery(params)))
  // The page of the list from which they come.
  for (const name of ['page', 'after']) if (params.has(name)) query.set(name, params.get(name)!)
  return query.size > 0 ? `${list}?${query}` : list
}

const rows = Array.from({ length: most }, (_, index) => index + 1)

/** Beside `product`: version, stock and price as the form showed them, and the id. */
const row = {
  price: typedDollarsInCents('Price is Required').pipe(sellingPrice).optional(),
  stock: quantityField('Available', 0).optional(),
}

const Several = z.object({
  product: z.array(z.string().regex(/^\d+ \d+ \d+ .{1,200}$/)).max(most),
  submissionId: submissionIdField,
  ...(Object.fromEntries(
    rows.flatMap((nth) => [
      [`price${nth}`, row.price],
      [`stock${nth}`, row.stock],
    ]),
  ) as Record<`price${number}` | `stock${number}`, typeof row.price | typeof row.stock>),
})

const files = { ...pictureUpload, names: rows.map((nth) => `pictureFile${nth}` as const) }

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context, files }, Several, async ({ product, submissionId, ...rest }, files) => {
    const typed = rest as Record<string, number | undefined>
    const changes: BulkChange[] = []
    const undone: Undo['fields'][] = []
    for (const [index, seen] of product.entries()) {
      const nth = index + 1
      const [version, stock, price, ...id] = seen.split(' ')
      const [file] = files[`pictureFile${nth}`] ?? []
      const priceCents = typed[`price${nth}`] ?? Number(price)
      const stockChange = (typed[`stock${nth}`] ?? Number(stock)) - Number(stock)
      if (priceCents === Number(price) && stockChange === 0 && !file) continue
      const img = file && (await storePicture(context, file, `pictureFile${nth}`))
      const instrumentId = id.join(' ')
      const reason = 'in the list'
      changes.push({ instrumentId, version: Number(version), priceCents, stockChange, img, reason })
      const isPriceNew = priceCents !== Number(price)
      if (!isPriceNew && stockChange === 0) continue
      const versionNow = Number(version) + (isPriceNew || img !== undefined ? 1 : 0)
      const row = undone.length + 1
      undone.push([
        ['product', `${versionNow} ${Number(stock) + stockChange} ${priceCents} ${instrumentId}`],
        [`price${row}`, dollarsText(Number(price))],
        [`stock${row}`, stock!],
      ])
    }
    const errors = await changeMany(context, admin, changes, submissionId)
    const failed = changes.flatMap(({ instrumentId: id }, nth) => {
      const why = Object.values(errors[nth]!).join(' ')
      return why === '' ? [] : [{ id, why }]
    })
    if (failed.length > 0) {
      const products = await findSeveral(
        context,
        failed.map(({ id }) => id),
      )
      const nameOf = (id: string) => products.find((product) => product.id === id)?.name ?? id
      return data({ notChanged: failed.map(({ id, why }) => ({ name: nameOf(id), why })) })
    }
    const back = backTo(new URL(request.url).searchParams)
    const hasPicture = changes.some(({ img }) => img !== undefined)
    const undo: Undo = {
      action: back.replace(list, `${list}/several`),
      fields: [...undone.flat(), ['submissionId', newId()]],
      ...(hasPicture && { label: 'Undo price and stock' }),
    }
    return toastTo(context, back, 'Products updated.', { undo: undone.length > 0 ? undo : undefined })
  })
}

export default function ChangeSeveral() {
  const { instruments, isCut, back } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const notChanged = actionData && 'notChanged' in actionData ? actionData.notChanged : []
  const form = formState(actionData && 'lastResult' in actionData ? actionData : undefined)
  return (
    <>
      <PageHeader title="Change products" lead="What stays as it is, is not changed." />
      {notChanged.length > 0 && (
        <div id="results" className="notice" role="status" tabIndex={-1}>
          <p>All is saved but these:</p>
          <ul>
            {notChanged.map(({ name, why }) => (
              <li key={name}>
                {name}: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      {isCut && <p className="notice">These are the first {most}. Change the others afterwards.</p>}
      {instruments.length > 0 ? (
        <SeveralForm key={notChanged.length} instruments={instruments} form={form} />
      ) : notChanged.length > 0 ? (
        <ButtonLink href={back}>Back to the products</ButtonLink>
      ) : (
        <EmptyState title="No product is selected" link={{ href: back, text: 'Back to the products' }}>
          Tick the products that you change, and press Change selected.
        </EmptyState>
      )}
    </>
  )
}

function SeveralForm({ instruments, form }: { instruments: ManagedInstrument[]; form: FormState }) {
  const { back, submissionIds } = useLoaderData<typeof loader>()
  return (
    <form
      className="form several"
      method="post"
      action={`${useSendTo()}#results`}
      encType="multipart/form-data"
      noValidate
    >
      <ErrorSummary form={form} />
      <SubmissionId form={form} issued={submissionIds} />
      {instruments.map((instrument, index) => (
        <ProductFields key={instrument.id} instrument={instrument} nth={index + 1} form={form} />
      ))}
      <FormError errors={form.errors} />
      <p className="actions save-bar">
        <Button>Save</Button>{' '}
        <ButtonLink variant="quiet" href={back}>
          Back
        </ButtonLink>
      </p>
    </form>
  )
}

function ProductFields({ instrument, nth, form }: { instrument: ManagedInstrument; nth: number; form: FormState }) {
  const { canUpload } = useLoaderData<typeof loader>()
  const { id, name, img, version, priceCents, availableQuantity } = instrument
  const [price, stock, picture] = [`price${nth}`, `stock${nth}`, `pictureFile${nth}`].map((field) => form.field(field))
  return (
    <fieldset>
      <legend>
        <Picture img={img} alt="" width={36} sizes="36px" lazy /> <span className="wrap-anywhere">{name}</span>
      </legend>
      <input type="hidden" name="product" value={`${version} ${availableQuantity} ${priceCents} ${id}`} />
      <Field
        label="Price"
        {...price!}
        initialValue={price!.initialValue ?? dollarsText(priceCents)}
        inputMode="decimal"
        required
      />
      <Field
        label="Available"
        {...stock!}
        initialValue={stock!.initialValue ?? String(availableQuantity)}
        inputMode="numeric"
        required
      />
      {canUpload && (
        <Field label="New picture" {...picture!} type="file" accept="image/jpeg,image/png,image/webp,image/avif" />
      )}
    </fieldset>
  )
}
