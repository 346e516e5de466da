import { redirectDocument, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData } from '@remix-run/react'
import { countText } from '../../store/shared/counts'
import { DashboardNav } from '../../ui/layout/dashboard-nav'
import { language } from '../../i18n/language'
import { isStaff } from '../../store/accounts/rights'

export const handle = { account: true }

/** Access is checked by each page (R5). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await context.user()
  // The desk is English.
  if (language() !== 'en' && isStaff(user)) throw redirectDocument(context.origin + pathOf(request), 303)
  const waiting = user?.waiting && {
    messages: countText(user.waiting.messages),
    quotes: countText(user.waiting.quotes),
    problems: countText(user.waiting.problems),
  }
  return { role: user?.role ?? 'customer', waiting }
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  return pathname.replace(/\.data$/, '') + search
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
