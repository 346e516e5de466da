import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData } from '@remix-run/react'
import { DashboardNav } from '../../ui/layout/dashboard-nav'

export const handle = { scripts: true }

/** Each page decides for itself where a visitor who may not see it goes (R5). */
export async function loader({ context }: LoaderFunctionArgs) {
  const visitor = await context.visitor()
  return { role: visitor?.role ?? 'customer' }
}

export default function Dashboard() {
  const { role } = useLoaderData<typeof loader>()
  return (
    <div className="dashboard">
      <DashboardNav role={role} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}
