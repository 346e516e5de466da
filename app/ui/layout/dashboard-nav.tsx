import { useLocation } from '@remix-run/react'
import { isStaff } from '../../store/accounts/rights'
import type { Role, Waiting } from '../../store/accounts/sign-in'
import { t } from '../../i18n/language'

interface Item {
  href: string
  text: string
  roles: Role[]
  /** What waits there. */
  count?: keyof Waiting
  /** The pages below it, where their addresses do not begin with its own. */
  pages?: RegExp
}

/** Colleagues with a role beside admin are customers too (R53). */
const buyers: Role[] = ['customer', 'packer', 'bookkeeper']

/** Spec section 2, in its order. */
const specified: Item[] = [
  { href: '/dashboard/myOrders', text: 'My Orders', roles: buyers },
  { href: '/dashboard/addReview', text: 'Add a Review', roles: buyers },
  { href: '/dashboard/myProfile', text: 'My Profile', roles: [...buyers, 'admin'] },
  { href: '/dashboard/makeAdmin', text: 'Make Admin', roles: ['admin'] },
  { href: '/dashboard/addProduct', text: 'Add Product', roles: ['admin'] },
  { href: '/dashboard/manageOrders', text: 'Manage All Orders', roles: ['packer', 'bookkeeper', 'admin'] },
  { href: '/dashboard/manageProduct', text: 'Manage Products', roles: ['admin'] },
]

/** Ours (R55). */
const others: Item[] = [
  { href: '/dashboard/quotes', text: 'My Quotes', roles: buyers },
  {
    ...{ href: '/dashboard/manageOrders/pickingList', text: 'Picking List', roles: ['packer'] },
    pages: /^\/dashboard\/manageOrders\/pickingList$/,
  },
  { href: '/dashboard/messages', text: 'Messages', roles: ['admin'], count: 'messages' },
  { href: '/dashboard/manageQuotes', text: 'Price Requests', roles: ['admin'], count: 'quotes' },
  { href: '/dashboard/reviews', text: 'Reviews', roles: ['admin'] },
  { href: '/dashboard/reports', text: 'Reports', roles: ['bookkeeper', 'admin'] },
  {
    ...{ href: '/dashboard/settings', text: 'Settings', roles: ['admin'] },
    pages: /^\/dashboard\/(settings(\/.*)?|shopEmails)$/,
  },
  // Only while something is.
  { href: '/dashboard/problems', text: 'What is wrong', roles: ['admin'], count: 'problems' },
]

interface DashboardNavProps {
  role: Role
  /** Of an admin. */
  waiting: Record<keyof Waiting, string> | undefined
}

/** On a phone, the further items of who works in the shop open at a link: by its address, so that it needs no script. */
export function DashboardNav({ role, waiting }: DashboardNavProps) {
  const { pathname } = useLocation()
  const isShown = ({ roles, count }: Item) =>
    roles.includes(role) && (count !== 'problems' || (waiting !== undefined && waiting.problems !== '0'))
  const [first, further] = [specified, others].map((items) => items.filter(isShown))
  const isDesk = isStaff({ role })
  return (
    <nav aria-label={t('Dashboard')} className={isDesk ? 'desk-nav' : undefined}>
      <ul className="dashboard-nav">
        {first!.map((item) => (
          <NavItem key={item.text} item={item} pathname={pathname} waiting={waiting} />
        ))}
        {isDesk && (
          <li className="desk-more">
            <a className="menu-link" href="#menu">
              More
            </a>
          </li>
        )}
      </ul>
      <ul className="dashboard-nav" id={isDesk ? 'menu' : undefined}>
        {further!.map((item) => (
          <NavItem key={item.text} item={item} pathname={pathname} waiting={waiting} />
        ))}
      </ul>
    </nav>
  )
}

interface NavItemProps {
  item: Item
  pathname: string
  /** Of an admin. */
  waiting: Record<keyof Waiting, string> | undefined
}

function NavItem({ item, pathname, waiting }: NavItemProps) {
  return (
    <li>
      <a href={item.href} className="menu-link" aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
        {textOf(item)}
        {item.count && waiting && waiting[item.count] !== '0' && ` (${waiting[item.count]})`}
      </a>
    </li>
  )
}

/** Customers read it in their language; the desk is English. */
function textOf({ text }: Item): string {
  const words: Record<string, string> = {
    'My Orders': t('My Orders'),
    'Add a Review': t('Add a Review'),
    'My Profile': t('My Profile'),
    'My Quotes': t('My Quotes'),
  }
  return words[text] ?? text
}

function isCurrent({ href, pages }: Item, pathname: string): boolean {
  return pages ? pages.test(pathname) : `${pathname}/`.startsWith(`${href}/`)
}
