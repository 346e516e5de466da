import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { backToList } from '../../http/response/back-to-list.server'
import { requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { catalogPath, purchasePath } from '../../store/catalog/catalog'
import { describeShortage } from '../../store/catalog/instruments'
import { addWish, endWish, readWishes, WishChange, type Wished } from '../../store/catalog/wishes.server'
import { Button, ButtonLink } from '../../ui/button'
import { WishForm } from '../../ui/catalog/wish-form'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { Day } from '../../ui/time'
import { t } from '../../i18n/language'

const path = '/dashboard/wishes'

export const meta: MetaFunction = () => [{ title: `${t('Back-in-stock emails')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  return readWishes(context, customer, new URL(request.url).searchParams.get('instrument'))
}

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, WishChange, async ({ instrumentId, change, anchor }) => {
    if (change === 'end') {
      await endWish(context, customer, instrumentId)
      return toastTo(context, backToList(request, anchor), t('You get no email about it.'))
    }
    const { name, isOrderable } = await addWish(context, customer, instrumentId)
    if (!isOrderable) return toastTo(context, path, t('We will email you once, when {name} is back.', { name }))
    const purchase = purchasePath(instrumentId)
    return toastTo(context, purchase, t('{name} is back already. You can order it now.', { name }), { type: 'info' })
  })
}

export default function Wishes() {
  const { wished } = useLoaderData<typeof loader>()
  const { errors } = formState(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={t('Back-in-stock emails')}
        lead={t('We email you once when an instrument has its minimum order in stock again.')}
      />
      <Chosen />
      <FormError errors={errors} />
      {wished.length > 0 ? (
        <WishTable wished={wished} />
      ) : (
        <EmptyState
          title={t('You wait for no instrument')}
          link={{ href: '/allInstruments', text: t('View All Instruments') }}
        >
          {t('The page of an instrument that is sold out has a button for such an email.')}
        </EmptyState>
      )}
    </>
  )
}

/** For who comes from the page of an instrument, by way of the login. */
function Chosen() {
  const { chosen, wished } = useLoaderData<typeof loader>()
  if (!chosen || wished.some(({ id }) => id === chosen.id)) return null
  const { id, name } = chosen
  const shortage = describeShortage(chosen)
  return (
    <Notice>
      <p>
        <a href={catalogPath(chosen)}>{name}</a>: {shortage ?? t('in stock')}.
      </p>
      {shortage ? (
        <WishForm instrumentId={id} label={t('Yes, email me once')} />
      ) : (
        <ButtonLink href={purchasePath(id)}>{t('Purchase')}</ButtonLink>
      )}
    </Notice>
  )
}

function WishTable({ wished }: { wished: Wished[] }) {
  return (
    <ResponsiveTable
      caption={t('Instruments that you wait for')}
      rows={wished}
      rowKey={({ id }) => id}
      columns={[
        {
          header: t('Instrument Name'),
          rowHeader: true,
          cell: (instrument) => (
            <RowName id={instrument.id}>
              {instrument.isOnSale ? <a href={catalogPath(instrument)}>{instrument.name}</a> : instrument.name}
            </RowName>
          ),
        },
        { header: t('Asked'), cell: ({ wishedAt }) => <Day at={wishedAt} /> },
        {
          header: t('Availability'),
          cell: (instrument) =>
            instrument.isOnSale ? (describeShortage(instrument) ?? t('In stock')) : t('Not on sale at the moment'),
        },
        {
          header: t('Action'),
          cell: ({ id }, index) => (
            <RowForm fields={{ instrumentId: id, change: 'end', anchor: (wished[index + 1] ?? wished[index - 1])?.id }}>
              <Button variant="quiet" aria-describedby={id}>
                {t('Do not email me')}
              </Button>
            </RowForm>
          ),
        },
      ]}
    />
  )
}
