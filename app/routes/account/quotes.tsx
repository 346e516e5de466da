import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireUser } from '../../http/auth/require-user.server'
import { listQuotes } from '../../store/quotes/quotes.server'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { QuoteTable } from '../../ui/quotes/quote-table'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

const pageSize = 25
const path = '/dashboard/quotes'

export const meta: MetaFunction = () => [{ title: `${t('My Quotes')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return {
    ...(await listQuotes(context, customer, { before, limit: pageSize })),
    isFirst: before === undefined,
    now: context.now(),
  }
}

export default function Quotes() {
  const { quotes, next, isFirst, now } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title={t('My Quotes')} />
      {quotes.length > 0 ? (
        <QuoteTable caption={t('My Quotes')} quotes={quotes} path={path} now={now} />
      ) : (
        <EmptyState title={t('No quotes yet')} link={{ href: '/allInstruments', text: t('View All Instruments') }}>
          {t('Do you need more than a few pieces? The page of each instrument has a link to ask for a price.')}
        </EmptyState>
      )}
      <Pager first={isFirst ? null : path} next={next && `${path}?before=${encodeURIComponent(next)}`} />
    </>
  )
}
