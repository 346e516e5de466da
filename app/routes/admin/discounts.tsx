import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { shownFamilies } from '../../store/catalog/families'
import { discountWords } from '../../store/discounts/discounts'
import {
  createDiscount,
  endDiscount,
  listDiscounts,
  NewDiscount,
  type Discount,
} from '../../store/discounts/manage-discounts.server'
import { formatDay, inFirstDay, inLastDay, timeZone } from '../../store/shared/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { BackToSettings } from '../../ui/dashboard/back-to-settings'
import { Field } from '../../ui/field'
import { Fold } from '../../ui/fold'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { Pager } from '../../ui/pager'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/discounts'
const pageSize = 25

export const meta: MetaFunction = () => [{ title: `Discount codes · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return { ...(await listDiscounts(context, admin, { before, limit: pageSize })), isFirst: before === undefined }
}

const End = z.object({ act: z.literal('end'), code: z.string().max(30), anchor: z.string().max(100).optional() })

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context, hidden: [] }, z.discriminatedUnion('act', [End, NewDiscount]), async (input) => {
    if (input.act === 'end') {
      await endDiscount(context, admin, input.code)
      return toastTo(context, backToList(request, input.anchor), `${input.code} has ended.`)
    }
    const code = await createDiscount(context, admin, input)
    return toastTo(context, `${path}#${rowId(code)}`, `The code ${code} is made.`)
  })
}

const rowId = (code: string) => `code-${code}`

export default function Discounts() {
  const { discounts, next, isFirst } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Discount codes"
        lead="A customer types a code on the purchase page, or comes with it in a link: /instruments/…?code=SPRING-10. The price of a code never changes; end it and make another one."
      >
        <BackToSettings />
      </PageHeader>
      {discounts.length > 0 ? (
        <Codes discounts={discounts} />
      ) : (
        <p>{isFirst ? 'No codes yet.' : 'No further codes.'}</p>
      )}
      <Pager first={isFirst ? null : path} next={next === null ? null : `${path}?before=${encodeURIComponent(next)}`} />
      <section className="section" id="make">
        <SectionHeader title="Make a code" id="new-code" />
        <CodeForm />
      </section>
    </>
  )
}

function Codes({ discounts }: { discounts: Discount[] }) {
  return (
    <ResponsiveTable
      caption="Discount codes"
      rows={discounts}
      rowKey={({ code }) => code}
      columns={[
        { header: 'Code', rowHeader: true, cell: ({ code }) => <RowName id={rowId(code)}>{code}</RowName> },
        { header: 'Takes off', cell: (discount) => termsOf(discount) },
        { header: 'Counts', cell: (discount) => periodOf(discount) },
        {
          header: 'For',
          cell: ({ families, instruments }) => [...families, ...instruments].join(', ') || 'Everything',
        },
        { header: 'Used', numeric: true, cell: (discount) => usesOf(discount) },
        {
          header: 'Action',
          cell: ({ code, state }, index) =>
            state !== 'ended' && (
              <RowForm fields={{ act: 'end', code, anchor: anchorOf(discounts[index + 1] ?? discounts[index - 1]) }}>
                <Button variant="quiet" aria-describedby={rowId(code)}>
                  End
                </Button>
              </RowForm>
            ),
        },
      ]}
    />
  )
}

function anchorOf(discount: Discount | undefined): string {
  return discount ? rowId(discount.code) : 'make'
}

function termsOf(discount: Discount) {
  return `${discountWords(discount)}${discount.combines ? ', volume and sale prices too' : ''}`
}

function periodOf({ fromAt, untilAt, state }: Discount) {
  const last = untilAt === null ? '' : ` until ${formatDay(inLastDay(untilAt))}`
  return (
    <>
      From {formatDay(inFirstDay(fromAt))}
      {last} {state === 'ended' && <Badge>Ended</Badge>} {state === 'early' && <Badge>Not yet</Badge>}
      {state === 'used up' && <Badge>Used up</Badge>}
    </>
  )
}

function usesOf({ uses, maxUses, maxUsesPerCustomer }: Discount) {
  return (
    <>
      {uses}
      {maxUses !== null && ` of ${maxUses}`}
      {maxUsesPerCustomer !== null && <span className="hint"> {maxUsesPerCustomer} each</span>}
    </>
  )
}

function CodeForm() {
  const sent = useActionData<typeof action>()
  // Of a row that could not be ended, only the errors.
  const result = sent?.lastResult.initialValue?.act === 'end' ? undefined : sent
  const form = formState(result)
  const chosen = [result?.lastResult.initialValue?.families ?? []].flat()
  return (
    <form className="form" method="post" action="#make" noValidate>
      <ErrorSummary form={form} />
      <input type="hidden" name="act" value="make" />
      <Field
        label="Code"
        {...form.field('code')}
        maxLength={30}
        autoCapitalize="characters"
        autoComplete="off"
        hint="Letters, digits and hyphens, like SPRING-10."
        required
      />
      <div className="pair">
        <Field label="Percent off" {...form.field('percent')} inputMode="numeric" hint="Such as 10, or:" />
        <Field label="Dollars off" {...form.field('amount')} inputMode="decimal" hint="Off each piece." />
      </div>
      <Field
        label="Until"
        type="date"
        {...form.field('until')}
        hint={`The last day, ${timeZone}. Empty: until you end it.`}
      />
      <Fold
        title="More conditions"
        isOpen={form.fieldErrors.some(({ name }) => !['code', 'percent', 'amount', 'until'].includes(name))}
      >
        <Field label="From" type="date" {...form.field('from')} hint="Empty: from today." />
        <Field
          label="Smallest order"
          {...form.field('minTotal')}
          inputMode="decimal"
          hint="In dollars, before the discount. Empty: any."
        />
        <div className="pair">
          <Field label="Uses in all" {...form.field('maxUses')} inputMode="numeric" hint="Empty: any." />
          <Field label="Uses each" {...form.field('maxUsesPerCustomer')} inputMode="numeric" hint="Of one customer." />
        </div>
        <fieldset className="breaks">
          <legend>Only for these families</legend>
          {shownFamilies().map(({ slug, name }) => (
            <Checkbox
              key={slug}
              label={name}
              name="families"
              id={`family-${slug}`}
              value={slug}
              initialValue={chosen.includes(slug) ? slug : ''}
            />
          ))}
        </fieldset>
        <Field
          label="Only for these instruments"
          {...form.field('instruments')}
          rows={3}
          hint="Their names, one a line. With families: those too. All empty: for everything."
        />
        <Checkbox label="Takes off volume and sale prices too" {...form.box('combines', false)} />
        <p className="hint">If not, the customer gets the better of the volume or sale price and the code.</p>
      </Fold>
      <FormError errors={formState(sent).errors} />
      <p className="actions">
        <Button>Make the code</Button>
      </p>
    </form>
  )
}
