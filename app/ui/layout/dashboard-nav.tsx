import { useLocation } from '@remix-run/react'

type Role = 'customer' | 'admin'

interface Item {
  href: string
  text: string
  roles: Role[]
}

/** Spec section 2, in its order. */
const specified: Item[] = [
  { href: '/dashboard/myOrders', text: 'My Orders', roles: ['customer'] },
  { href: '/dashboard/addReview', text: 'Add a Review', roles: ['customer'] },
  { href: '/dashboard/myProfile', text: 'My Profile', roles: ['customer', 'admin'] },
  { href: '/dashboard/makeAdmin', text: 'Make Admin', roles: ['admin'] },
  { href: '/dashboard/addProduct', text: 'Add Product', roles: ['admin'] },
  { href: '/dashboard/manageOrders', text: 'Manage All Orders', roles: ['admin'] },
  { href: '/dashboard/manageProduct', text: 'Manage Products', roles: ['admin'] },
]

const others: Item[] = [{ href: '/dashboard/quotes', text: 'My Quotes', roles: ['customer'] }]

export function DashboardNav({ role }: { role: Role }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Dashboard">
      {[specified, others]
        .map((items) => items.filter(({ roles }) => roles.includes(role)))
        .filter((items) => items.length > 0)
        .map((items) => (
          <ul key={items[0]!.href} className="dashboard-nav">
            {items.map(({ href, text }) => (
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
        ))}
    </nav>
  )
}
