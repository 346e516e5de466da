import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation, type ShouldRevalidateFunction } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { instrumentUpdateForm, updateInstrument } from '../../store/catalog/manage-instruments.server'
import { findManagedInstrument } from '../../store/catalog/instruments.server'
import { describeMissingImage, pictureUpload, withPictures } from '../../store/catalog/pictures/pictures.server'
import { newId } from '../../store/shared/ids.server'
import { dollarsText, formatCents } from '../../store/shared/money'
import { Button, ButtonLink } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/layout/page-header'
import { InstrumentFields, instrumentValues } from '../../ui/catalog/instrument-fields'
import type { Undo } from '../../ui/toast'
import { shopName } from '../../shop-name'

export { clientAction } from '../../ui/catalog/lost-product'

export const handle = { scripts: true }

const list = '/dashboard/manageProduct'

export const meta: MetaFunction = () => [{ title: `Edit Product · ${shopName}` }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const instrument = await findManagedInstrument(context, params.id ?? '')
  if (!instrument) throw new Response(null, { status: 404 })
  return { instrument, canUpload: context.pictures !== null }
}

/** After a refusal too, to load the current version; but not when the shop is unreachable. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus }) => actionStatus !== 503

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context, files: pictureUpload }, instrumentUpdateForm, async (input, files) => {
    const change = await withPictures(context, input, files)
    const id = params.id ?? ''
    const former = await updateInstrument(context, admin, id, change)
    const undo: Undo | null = former && {
      action: `${list}/several?product=${encodeURIComponent(id)}`,
      fields: [
        ['product', `${former.version} 0 ${change.price} ${id}`],
        ['price1', dollarsText(former.priceCents)],
        ['submissionId', newId()],
      ],
      label: `Back to ${formatCents(former.priceCents)}`,
    }
    const message = `Product updated.${await describeMissingImage(context, change)}`
    return toastTo(context, list, message, { undo: undo ?? undefined })
  })
}

export default function EditProduct() {
  const { instrument, canUpload } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), {
    ...instrumentValues(instrument),
    stockChange: '0',
    version: String(instrument.version),
  })
  const version = form.field('version')
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title={`Edit ${instrument.name}`} lead="Existing orders keep their name and price.">
        <p className="actions">
          <ButtonLink variant="quiet" href={`/dashboard/addProduct?from=${encodeURIComponent(instrument.id)}`}>
            Duplicate
          </ButtonLink>{' '}
          <ButtonLink variant="quiet" href={`${list}/${instrument.id}/history`}>
            History
          </ButtonLink>
        </p>
      </PageHeader>
      {instrument.hidden === 1 && (
        <Notice>Hidden: only admins see this product. Show it again in Manage Products.</Notice>
      )}
      <Form className="form product-form" method="post" encType="multipart/form-data" noValidate>
        <ErrorSummary form={form} />
        {/* After a conflict, saving again overwrites the other change; other errors keep the version. */}
        <input type="hidden" name="version" value={version.errors ? instrument.version : version.initialValue} />
        <InstrumentFields form={form} canUpload={canUpload}>
          <Field
            label="Stock change"
            {...form.field('stockChange')}
            inputMode="numeric"
            hint={`${instrument.availableQuantity} available now. Enter 5 to add five pieces, -5 to remove five.`}
          />
          <Field label="Reason" {...form.field('stockNote')} hint="Saved with your name" />
        </InstrumentFields>
        <FormError errors={form.errors} />
        <p className="actions save-bar">
          <Button busy={busy}>Save</Button>{' '}
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>
        </p>
      </Form>
    </>
  )
}
