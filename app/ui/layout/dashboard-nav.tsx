import { useLocation } from '@remix-run/react'

type Role = 'customer' | 'admin'

const links: { href: string; text: string; roles: Role[] }[] = [
  { href: '/dashboard/myOrders', text: 'My Orders', roles: ['customer'] },
  { href: '/dashboard/quotes', text: 'My Quotes', roles: ['customer'] },
  { href: '/dashboard/addReview', text: 'Add a Review', roles: ['customer'] },
  { href: '/dashboard/myProfile', text: 'My Profile', roles: ['customer', 'admin'] },
  { href: '/dashboard/makeAdmin', text: 'Make Admin', roles: ['admin'] },
  { href: '/dashboard/addProduct', text: 'Add Product', roles: ['admin'] },
  { href: '/dashboard/manageOrders', text: 'Manage All Orders', roles: ['admin'] },
  { href: '/dashboard/manageProduct', text: 'Manage Products', roles: ['admin'] },
]

export function DashboardNav({ role }: { role: Role }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Dashboard">
      <ul className="dashboard-nav">
        {links
          .filter((link) => link.roles.includes(role))
          .map(({ href, text }) => (
            <li key={href}>
              <a
                href={href}
                className="menu-link"
                aria-current={`${pathname}/`.startsWith(`${href}/`) ? 'page' : undefined}
              >
                {text}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}
