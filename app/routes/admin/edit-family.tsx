import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { changeFamily, deleteFamily, FamilyChange, findManagedFamily } from '../../store/catalog/manage-families.server'
import { Button, ButtonLink } from '../../ui/button'
import { FamilyFields } from '../../ui/catalog/family-fields'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const list = '/dashboard/settings/families'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.family.name ?? 'a family'} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const family = await findManagedFamily(context, params.id ?? '')
  if (!family) throw new Response(null, { status: 404 })
  return { family }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const slug = params.id ?? ''
  return submit({ request, context }, FamilyChange, async (command) => {
    if (command.intent === 'delete') {
      const name = await deleteFamily(context, admin, slug)
      return toastTo(context, list, `${name} is deleted.`)
    }
    await changeFamily(context, admin, slug, command)
    return toastTo(context, `${list}#${command.slug}`, 'Saved.')
  })
}

export default function EditFamily() {
  const { family } = useLoaderData<typeof loader>()
  const { name, slug, cases, former, products } = family
  const result = useActionData<typeof action>()
  const form = formState(result, { name, slug, cases: cases === 1 ? 'on' : '', version: String(family.version) })
  const version = form.field('version')
  const isDeleting = form.field('intent').initialValue === 'delete'
  return (
    <>
      <PageHeader title={`Edit ${name}`} lead={`On sale in this family: ${products.toLocaleString('en-US')}.`}>
        <p className="actions">
          <ButtonLink variant="quiet" href={list}>
            Back
          </ButtonLink>
        </p>
      </PageHeader>
      <form className="form" method="post" action={useSendTo()} noValidate>
        {!isDeleting && <ErrorSummary form={form} />}
        {/* After a conflict, saving again replaces what somebody else saved. */}
        <input type="hidden" name="version" value={version.errors ? family.version : version.initialValue} />
        <FamilyFields form={isDeleting ? formState(undefined, { name, slug, cases: cases ? 'on' : '' }) : form} />
        {former.length > 0 && <p className="hint">Former addresses that lead here: {former.join(', ')}.</p>}
        {!isDeleting && <FormError errors={form.errors} />}
        <p className="actions">
          <Button name="intent" value="save">
            Save
          </Button>
        </p>
      </form>
      <details className="section" open={isDeleting}>
        <summary>Delete this family</summary>
        <form method="post" action={`${list}/${slug}?send`}>
          <p>Only a family without products can be deleted. Hide it to take it out of the menu.</p>
          {isDeleting && <FormError errors={form.errors} />}
          <Button variant="danger" name="intent" value="delete">
            Delete for good
          </Button>
        </form>
      </details>
    </>
  )
}
