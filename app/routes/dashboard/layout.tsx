import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData } from '@remix-run/react'
import { requireVisitor } from '../../http/visitor.server'
import { SideMenu } from '../../ui/side-menu'

export const handle = { scripts: true }

export async function loader({ request, context }: LoaderFunctionArgs) {
  // My Orders sends a session that has ended elsewhere than the other pages do (R5): it decides for itself.
  if (new URL(request.url).pathname.startsWith('/dashboard/myOrders')) return { role: (await context.visitor())?.role }
  return { role: (await requireVisitor(request, context)).role }
}

export default function Dashboard() {
  const { role } = useLoaderData<typeof loader>()
  return (
    <div className="dashboard">
      <SideMenu role={role ?? 'customer'} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}
