import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import {
  addFamily,
  FamilyCommand,
  listFamilies,
  moveFamily,
  setFamilyHidden,
  type ManagedFamily,
} from '../../store/catalog/manage-families.server'
import { maxFamilies } from '../../store/shared/limits'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { FamilyFields } from '../../ui/catalog/family-fields'
import { BackToSettings } from '../../ui/dashboard/back-to-settings'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/families'

export const meta: MetaFunction = () => [{ title: `Families · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  return { families: await listFamilies(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, FamilyCommand, async (command) => {
    if (command.intent === 'add') {
      await addFamily(context, admin, command)
      return toastTo(context, `${path}#${rowId(command.slug)}`, `${command.name} is added.`)
    }
    const { slug, anchor, intent } = command
    const name =
      command.intent === 'move'
        ? await moveFamily(context, admin, slug, command.place)
        : await setFamilyHidden(context, admin, slug, intent === 'hide')
    const done = { move: 'has another place', hide: 'is hidden', show: 'is shown again' }[intent]
    return toastTo(context, backToList(request, anchor), `${name} ${done}.`)
  })
}

export default function Families() {
  const { families } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), {})
  const isAdding = form.field('intent').initialValue === 'add'
  const refused = isAdding ? undefined : families.find(({ slug }) => slug === form.field('slug').initialValue)
  return (
    <>
      <PageHeader
        title="Families"
        lead="What the shop sorts its products by: in the menu of every page, in filters, feeds and the sitemap, in this order."
      >
        <BackToSettings />
      </PageHeader>
      {!isAdding && !refused && <FormError errors={form.errors} />}
      <ResponsiveTable
        caption="Families"
        rows={families}
        rowKey={({ slug }) => slug}
        refusal={refused && { row: refused, errors: form.errors }}
        columns={[
          {
            header: 'Family',
            rowHeader: true,
            nameId: ({ slug }) => rowId(slug),
            cell: (family) => <Family family={family} />,
          },
          { header: 'Address', cell: ({ slug }) => <span className="wrap-anywhere">{slug}</span> },
          {
            header: 'On sale',
            numeric: true,
            cell: ({ slug, products }) => (
              <a href={`/dashboard/manageProduct?family=${slug}`}>{products.toLocaleString('en-US')}</a>
            ),
          },
          {
            header: 'Order',
            numeric: true,
            cell: (family, place) => <Places family={family} place={place} last={families.length - 1} />,
          },
          { header: 'Action', cell: (family) => <HideButton family={family} /> },
        ]}
      />
      <section className="section" id="add">
        <h2>Add a family</h2>
        {families.length < maxFamilies ? (
          <form className="form" method="post" action="#add" noValidate>
            {isAdding && <ErrorSummary form={form} />}
            <input type="hidden" name="intent" value="add" />
            <FamilyFields form={isAdding ? form : formState(undefined, {})} />
            {isAdding && <FormError errors={form.errors} />}
            <p className="actions">
              <Button>Add family</Button>
            </p>
          </form>
        ) : (
          <p>A shop may have at most {maxFamilies} families.</p>
        )}
      </section>
    </>
  )
}

/** Its fields have ids of their own, such as 'cases'. */
function rowId(slug: string): string {
  return `family-${slug}`
}

function Family({ family: { slug, name, hidden, cases } }: { family: ManagedFamily }) {
  return (
    <>
      <a className="link" id={rowId(slug)} href={`${path}/${slug}`}>
        {name}
      </a>{' '}
      {hidden === 1 && <Badge>Hidden</Badge>} {cases === 1 && <Badge>Cases</Badge>}
    </>
  )
}

interface PlacesProps {
  family: ManagedFamily
  place: number
  last: number
}

function Places({ family: { slug, name }, place, last }: PlacesProps) {
  const to = (where: number, text: string) => (
    <RowForm fields={{ intent: 'move', slug, anchor: rowId(slug), place: String(where) }}>
      <Button variant="quiet" aria-label={`Move ${text}: ${name}`}>
        {text === 'up' ? 'Up' : 'Down'}
      </Button>
    </RowForm>
  )
  return (
    <div className="actions">
      {place > 0 && to(place - 1, 'up')} {place < last && to(place + 1, 'down')}
    </div>
  )
}

function HideButton({ family: { slug, hidden } }: { family: ManagedFamily }) {
  return (
    <RowForm fields={{ intent: hidden ? 'show' : 'hide', slug, anchor: rowId(slug) }}>
      <Button variant="quiet" aria-describedby={rowId(slug)}>
        {hidden ? 'Show' : 'Hide'}
      </Button>
    </RowForm>
  )
}
