import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData } from '@remix-run/react'
import { requireVisitor } from '../../http/visitor.server'
import { useAccessToken } from '../../ui/access-token'
import { SideMenu } from '../../ui/side-menu'

export const handle = { scripts: true }

export async function loader({ request, context }: LoaderFunctionArgs) {
  // My Orders sends a session that has ended elsewhere than the other pages do (R5): it decides for itself.
  if (new URL(request.url).pathname.startsWith('/dashboard/myOrders')) {
    const visitor = await context.visitor()
    return { role: visitor?.role, email: visitor?.email }
  }
  const { role, email } = await requireVisitor(request, context)
  return { role, email }
}

export default function Dashboard() {
  const { role, email = '' } = useLoaderData<typeof loader>()
  useAccessToken(email)
  return (
    <div className="dashboard">
      <SideMenu role={role ?? 'customer'} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}
