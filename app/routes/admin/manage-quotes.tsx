import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { listAllQuotes } from '../../store/quotes/quotes.server'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { QuoteTable } from '../../ui/quotes/quote-table'
import { shopName } from '../../shop-name'

const pageSize = 25
const path = '/dashboard/manageQuotes'

const lists = [
  { isAnswered: false, text: 'To answer', path },
  { isAnswered: true, text: 'Answered', path: `${path}?answered=1` },
]

export const meta: MetaFunction = () => [{ title: `Price requests · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const isAnswered = searchParams.get('answered') === '1'
  return {
    ...(await listAllQuotes(context, { after, limit: pageSize, isAnswered })),
    ...{ isAnswered, isFirst: after === undefined, now: context.now() },
  }
}

export default function ManageQuotes() {
  const { quotes, next, isAnswered, isFirst, now } = useLoaderData<typeof loader>()
  const list = lists.find((each) => each.isAnswered === isAnswered)!
  return (
    <>
      <PageHeader title="Price requests" />
      <nav aria-label="Which requests">
        <ul className="filters">
          {lists.map(({ text, path, ...each }) => (
            <li key={path}>
              <a href={path} className="menu-link" aria-current={each.isAnswered === isAnswered ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {quotes.length > 0 ? (
        <QuoteTable caption={list.text} quotes={quotes} path={path} now={now} isDesk />
      ) : (
        <EmptyState title={isAnswered ? 'Nothing is answered yet' : 'Nothing to answer'}>
          Customers ask for a price on the page of an instrument.
        </EmptyState>
      )}
      <Pager
        first={isFirst ? null : list.path}
        next={next && `${list.path}${isAnswered ? '&' : '?'}after=${encodeURIComponent(next)}`}
      />
    </>
  )
}
