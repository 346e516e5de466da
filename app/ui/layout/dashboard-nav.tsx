import { NavLink } from '@remix-run/react'

type Role = 'customer' | 'admin'

const links: { to: string; text: string; roles: Role[] }[] = [
  { to: '/dashboard/myOrders', text: 'My Orders', roles: ['customer'] },
  { to: '/dashboard/addReview', text: 'Add a Review', roles: ['customer'] },
  { to: '/dashboard/myProfile', text: 'My Profile', roles: ['customer', 'admin'] },
  { to: '/dashboard/makeAdmin', text: 'Make Admin', roles: ['admin'] },
  { to: '/dashboard/addProduct', text: 'Add Product', roles: ['admin'] },
  { to: '/dashboard/manageOrders', text: 'Manage All Orders', roles: ['admin'] },
  { to: '/dashboard/manageProduct', text: 'Manage Products', roles: ['admin'] },
]

export function DashboardNav({ role }: { role: Role }) {
  return (
    <nav aria-label="Dashboard">
      <ul className="dashboard-nav">
        {links
          .filter((link) => link.roles.includes(role))
          .map(({ to, text }) => (
            <li key={to}>
              <NavLink to={to} className="menu-link">
                {text}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  )
}
