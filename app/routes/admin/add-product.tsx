import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { submit } from '../../http/request/forms.server'
import { issueSubmissionIds } from '../../http/request/submission.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdmin } from '../../http/auth/require-user.server'
import { catalogPath } from '../../store/catalog/catalog'
import type { ManagedInstrument } from '../../store/catalog/instruments'
import { findManagedInstrument } from '../../store/catalog/instruments.server'
import { addInstrument, newProductForm } from '../../store/catalog/manage-instruments.server'
import { describeMissingImage, pictureUpload, withPictures } from '../../store/catalog/pictures/pictures.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { InstrumentFields, InstrumentPreview, instrumentValues } from '../../ui/catalog/instrument-fields'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { SubmissionId, useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'
import { cutText } from '../../store/shared/text'

export { clientAction } from '../../ui/catalog/lost-product'

export const handle = { scripts: true }

const path = '/dashboard/addProduct'

export const meta: MetaFunction = () => [{ title: `Add Product · ${shopName}` }]

/** `?from=<id>` fills the form in from that product, `?name=` its name; `?added=<id>` leads to the one before. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdmin(request, context)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  const { searchParams } = new URL(request.url)
  const from = searchParams.get('from')
  const name = cutText(searchParams.get('name') ?? '', 120)
  const id = searchParams.get('added') ?? from
  const found = id === null ? null : await findManagedInstrument(context, id)
  const [added, original] = id === from ? [null, found] : [found, null]
  return data({ submissionIds, added, original, name, canUpload: context.pictures !== null }, { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdmin(request, context)
  return submit({ request, context, files: pictureUpload }, newProductForm, async (input, files) => {
    const product = await withPictures(context, input, files)
    const { id, isRepeat } = await addInstrument(context, admin.id, product)
    if (isRepeat) {
      const message = 'You already added this product. It was not added twice.'
      return toastTo(context, path, message, { type: 'info', inPlace: true })
    }
    const missing = await describeMissingImage(context, product)
    return toastTo(context, `${path}?added=${encodeURIComponent(id)}`, `New Product added!${missing}`, {
      inPlace: true,
    })
  })
}

export default function AddProduct() {
  const { submissionIds, added, original, name, canUpload } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Add Product" {...(original && { lead: `Filled in from ${original.name}.` })} />
      {added && (
        <Notice>
          <p>
            Added: {added.name}. <a href={catalogPath(added)}>View it</a> · <a href={path}>Add another</a>
          </p>
        </Notice>
      )}
      {/* The key empties the fields after a product was added. */}
      <ProductForm
        key={submissionIds[0]}
        submissionIds={submissionIds}
        original={original}
        name={name}
        canUpload={canUpload}
      />
    </>
  )
}

interface ProductFormProps {
  submissionIds: string[]
  original: ManagedInstrument | null
  /** Where there is no original. */
  name: string
  canUpload: boolean
}

function ProductForm({ submissionIds, original, name, canUpload }: ProductFormProps) {
  const defaults = original
    ? { ...instrumentValues(original), name: `${cutText(original.name, 110)} (copy)`, availableQuantity: '0' }
    : { name }
  const form = formState(useActionData<typeof action>(), defaults)
  const busy = useNavigation().state !== 'idle'
  const [values, setValues] = useState<Record<string, string>>()
  const [picture, setPicture] = useState<File>()
  function preview(filled: HTMLFormElement) {
    const files = ['picture', 'pictures'].map((field) => (filled.elements.namedItem(field) as HTMLInputElement).files)
    setPicture(files[0]?.[0] ?? files[1]?.[0])
    setValues(Object.fromEntries(new FormData(filled)) as Record<string, string>)
  }
  const element = useRef<HTMLFormElement>(null)
  // On a slow line somebody types before the scripts are there.
  useEffect(() => {
    if (isTypedIn(element.current!)) preview(element.current!)
  }, [])
  return (
    <div className="with-preview">
      <Form
        className="form product-form"
        method="post"
        encType="multipart/form-data"
        action={useSendTo()}
        noValidate
        ref={element}
        onInput={({ currentTarget }) => preview(currentTarget)}
      >
        <ErrorSummary form={form} />
        <SubmissionId form={form} issued={submissionIds} />
        <InstrumentFields form={form} canUpload={canUpload}>
          <Field label="Available quantity" {...form.field('availableQuantity')} inputMode="numeric" required />
        </InstrumentFields>
        <FormError errors={form.errors} />
        <p className="actions save-bar">
          <Button busy={busy}>Add Product</Button>
        </p>
      </Form>
      {values && <InstrumentPreview values={values} picture={picture} />}
    </div>
  )
}

function isTypedIn({ elements }: HTMLFormElement): boolean {
  return [...elements].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== field.defaultValue,
  )
}
