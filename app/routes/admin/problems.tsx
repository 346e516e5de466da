import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { formatCents } from '../../store/shared/money'
import { orderNumber } from '../../store/orders/orders'
import { countText } from '../../store/shared/counts'
import { readProblems, type ProblemEntry } from '../../store/screens/problems.server'
import { formatTime } from '../../store/shared/dates'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { manageOrderPath } from '../../ui/orders/order-links'
import { shopName } from '../../shop-name'

export const meta: MetaFunction = () => [{ title: `What is wrong · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  return readProblems(context)
}

export default function ProblemsPage() {
  const { failedEmails, owedRefunds, failedRefunds, disputes, unmatchedPayments, lowStock, lateReaders, tasksLastRan } =
    useLoaderData<typeof loader>()
  const lists: [id: string, title: string, entries: ProblemEntry[], what: string][] = [
    [
      'emails',
      'Emails that could not be delivered',
      failedEmails,
      'We tried for days. The address may be wrong: write to the customer another way.',
    ],
    [
      'owed',
      'Refunds that Stripe has not made yet',
      owedRefunds,
      'We try again every five minutes. If they stay here, look at the balance of your Stripe account.',
    ],
    [
      'failed',
      'Refunds that did not reach the customer',
      failedRefunds,
      'The bank returned the money, and Stripe does not try again. Pay the customer another way.',
    ],
    [
      'disputes',
      'Disputed payments that wait for your answer',
      disputes,
      'Answer at Stripe by the time beside each. Without an answer the money is lost.',
    ],
    [
      'unmatched',
      'Payments without an order',
      unmatchedPayments,
      'Stripe has the money, the shop has no such order. Find the payment in Stripe, and refund it or ask the customer.',
    ],
  ]
  const isFine =
    lists.every(([, , entries]) => entries.length === 0) && lowStock + lateReaders.length === 0 && tasksLastRan === null
  return (
    <>
      <PageHeader title="What is wrong" lead="Everything that waits for you, and what to do." />
      {isFine && <p>Nothing is wrong.</p>}
      {tasksLastRan !== null && (
        <Problem id="tasks" title="Scheduled tasks do not run">
          They last ran on {formatTime(tasksLastRan)}. Emails, refunds and reserved pieces wait for them. Look at the
          cron trigger of the deployment.
        </Problem>
      )}
      {lateReaders.length > 0 && (
        <Problem id="log" title="What happened is not passed on">
          Orders and changes of the last half hour or longer have not reached: {lateReaders.join(', ')}. Nothing is
          lost, it comes later. Show this to whoever runs the shop: the log says why.
        </Problem>
      )}
      {lists.map(([id, title, entries, what]) =>
        entries.length === 0 ? null : (
          <Problem key={id} id={id} title={title} entries={entries}>
            {what}
          </Problem>
        ),
      )}
      {lowStock > 0 && (
        <Problem id="low" title="Low stock">
          <a href="/dashboard/manageProduct?state=low">
            {countText(lowStock)} {lowStock === 1 ? 'product is' : 'products are'} low.
          </a>{' '}
          Order more, or lower the number at which we email you.
        </Problem>
      )}
    </>
  )
}

interface ProblemProps {
  id: string
  title: string
  entries?: ProblemEntry[]
  children: ReactNode
}

function Problem({ id, title, entries = [], children }: ProblemProps) {
  return (
    <section className="section" aria-labelledby={id}>
      <SectionHeader title={title} id={id} />
      <p>{children}</p>
      {entries.length > 0 && (
        <ul>
          {entries.map((entry, index) => (
            <li key={`${entry.id} ${index}`}>
              {entry.order ? (
                <a href={manageOrderPath(entry.order.id)}>{orderNumber(entry.order)}</a>
              ) : (
                <span>{entry.id}</span>
              )}{' '}
              {entry.amountCents !== null && <span>{formatCents(entry.amountCents)}</span>}{' '}
              <span className="hint">
                {entry.order && entry.amountCents === null && `${entry.id}, `}
                {formatTime(entry.at)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
