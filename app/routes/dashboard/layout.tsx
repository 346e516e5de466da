import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData } from '@remix-run/react'
import { countText } from '../../store/shared/counts'
import { DashboardNav } from '../../ui/layout/dashboard-nav'

export const handle = { account: true }

/** Access is checked by each page (R5). */
export async function loader({ context }: LoaderFunctionArgs) {
  const user = await context.user()
  const waiting = user?.waiting && {
    messages: countText(user.waiting.messages),
    quotes: countText(user.waiting.quotes),
    problems: countText(user.waiting.problems),
  }
  return { role: user?.role ?? 'customer', waiting }
}

export default function Dashboard() {
  const { role, waiting } = useLoaderData<typeof loader>()
  return (
    <div className="dashboard">
      <DashboardNav role={role} waiting={waiting} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}
