import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdmin, requireUser } from '../../http/auth/require-user.server'
import { resendVerification } from '../../store/accounts/users.server'
import { readDashboard, type OrderSummary } from '../../store/screens/dashboard.server'
import { firstStepWords } from '../../store/screens/first-steps'
import { doneOf, sayFirstStep } from '../../store/screens/first-steps.server'
import { readOverview } from '../../store/screens/overview.server'
import { isPaid } from '../../store/orders/orders'
import type { Role } from '../../store/accounts/sign-in'
import { Button, ButtonLink } from '../../ui/button'
import { FirstSteps } from '../../ui/dashboard/first-steps'
import { ordersPath } from '../../ui/dashboard/order-filters'
import { ShopOverview } from '../../ui/dashboard/shop-overview'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { NoOrders } from '../../ui/orders/no-orders'
import { Notice } from '../../ui/notice'
import { OrderLink, PayLink, ReceiptLink } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { Price } from '../../ui/price'
import { SectionHeader } from '../../ui/layout/section-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Dashboard')} · ${shopName}` },
  { name: 'description', content: t('Your orders, your reviews and your profile.') },
]

/** Where a day begins, of colleagues with a role beside admin (R53). */
const workOf: Record<Role, [href: string, text: string][] | null> = {
  customer: null,
  packer: [
    [`${ordersPath}?status=paid`, 'Orders to ship'],
    [`${ordersPath}/pickingList`, 'Picking list'],
  ],
  bookkeeper: [
    [ordersPath, 'All orders'],
    ['/dashboard/reports', 'Reports'],
  ],
  admin: null,
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const { name, email } = user
  if (user.role === 'admin') {
    const { isVerified, hasSecondFactor, facts, ...overview } = await readOverview(context, user)
    const firstSteps = doneOf(facts, hasSecondFactor, context)
    return { name, email, isVerified, needsFactor: !hasSecondFactor, firstSteps, work: null, overview, orders: null }
  }
  const { hasSecondFactor, ...dashboard } = await readDashboard(context, user)
  const work = workOf[user.role]
  const needsFactor = work !== null && !hasSecondFactor
  return { name, email, needsFactor, firstSteps: null, work, overview: null, ...dashboard }
}

const Command = z.object({ firstSteps: z.enum(firstStepWords).optional() })

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  return submit({ request, context }, Command, async ({ firstSteps }) => {
    if (firstSteps) {
      await sayFirstStep(context, await requireAdmin(request, context), firstSteps)
      const done = { aside: 'The list is put aside.', families: 'The families stay as they are.' }[firstSteps]
      return toastTo(context, '/dashboard', done)
    }
    await resendVerification(context, user)
    return toastTo(context, '/dashboard', t('We have sent you the email again.'))
  })
}

export default function Dashboard() {
  const { name, email, isVerified, needsFactor, firstSteps, work, overview, orders } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <>
      <PageHeader title={t('Hello, {name}', { name })} lead={t('Welcome to your Dashboard')} />
      {!isVerified && (
        <Notice>
          <p>{t('Please verify your email: open the link that we sent to {email}.', { email })}</p>
          <RowForm action="/dashboard?index" fields={{}}>
            <FormError errors={form.errors} />
            <Button variant="quiet">{t('Send it again')}</Button>
          </RowForm>
        </Notice>
      )}
      {firstSteps && !firstSteps.instrument && <FirstSteps done={firstSteps} />}
      {needsFactor && (
        <Notice>
          <p>
            Add a second step to protect the shop. Please{' '}
            <a href="/dashboard/myProfile/secondFactor">set up a second factor</a>.
          </p>
        </Notice>
      )}
      {work && (
        <ul className="actions">
          {work.map(([href, text]) => (
            <li key={href}>
              <ButtonLink href={href}>{text}</ButtonLink>
            </li>
          ))}
        </ul>
      )}
      {overview ? (
        <ShopOverview overview={overview} />
      ) : (
        !(work && orders.length === 0) && <LatestOrders orders={orders} />
      )}
      {/* A shop with instruments has figures, which come first. */}
      {firstSteps?.instrument && <FirstSteps done={firstSteps} />}
    </>
  )
}

function LatestOrders({ orders }: { orders: OrderSummary[] }) {
  if (orders.length === 0) return <NoOrders />
  return (
    <section aria-labelledby="newest">
      <SectionHeader title={t('Your latest orders')} id="newest">
        <a href="/dashboard/myOrders">{t('All my orders')}</a>
      </SectionHeader>
      <OrderTable
        caption={t('Your latest orders')}
        orders={orders}
        action={(order) =>
          isPaid(order) ? (
            <ReceiptLink orderId={order.id} describedBy={order.id} />
          ) : (
            <PayLink orderId={order.id} describedBy={order.id} />
          )
        }
      />
    </section>
  )
}

interface OrderTableProps {
  caption: string
  orders: OrderSummary[]
  action: (order: OrderSummary) => ReactNode
}

function OrderTable({ caption, orders, action }: OrderTableProps) {
  return (
    <ResponsiveTable
      caption={caption}
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        {
          header: t('Instrument Name'),
          rowHeader: true,
          cell: (order) => <OrderLink order={order} id={order.id} />,
        },
        { header: t('Quantity'), numeric: true, cell: ({ quantity }) => quantity },
        { header: t('Total'), numeric: true, cell: ({ totalCents }) => <Price cents={totalCents} /> },
        { header: t('Action'), cell: action },
      ]}
    />
  )
}
