import { isStaff } from '../../store/accounts/rights'
import type { Role } from '../../store/accounts/sign-in'
import { familyPath, shownFamilies } from '../../store/catalog/families'
import { Button } from '../button'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export interface HeaderUser {
  name: string
  role: Role
}

interface SiteHeaderProps {
  user: HeaderUser | null
  /** Null: the drawn mark. With its width, so that nothing moves when it comes. */
  logo?: { src: string; width: number } | null | undefined
  path?: string
  /** The query of the URL. */
  search?: string
  isCheckout?: boolean | undefined
}

export const logoHeight = 32

/** The same for everybody but for the items of the user and what the URL says, so that public pages can be cached. */
export function SiteHeader({ user, logo, path = '', search = '', isCheckout = false }: SiteHeaderProps) {
  const query = new URLSearchParams(path === '/allInstruments' ? search : '')
  // A shopkeeper at the desk looks for orders, not for instruments.
  const isShop = !isCheckout && (!isStaff(user) || !path.startsWith('/dashboard'))
  return (
    <>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>{' '}
      <header className="site-header">
        <a className="brand" href="/home">
          {logo ? <img {...logo} alt="" height={logoHeight} /> : <Fermata />}
          {shopName}
        </a>
        {isShop && (
          <>
            <Finder q={query.get('q') ?? ''} />
            <Families current={query.get('family')} />
          </>
        )}
        {!isCheckout && (
          <nav aria-label={t('Main')}>
            <ul className="site-nav">
              <NavItem href="/home" text={t('Home')} current={path === '/' || path === '/home'} />
              {user ? (
                <>
                  <NavItem href="/dashboard" text={t('Dashboard')} current={path.startsWith('/dashboard')} />
                  <li>
                    <form method="post" action="/sign-out">
                      <button className="nav-link">{t('Sign Out')}</button>
                    </form>
                  </li>
                  <li className="nav-name">{user.name}</li>
                </>
              ) : (
                <>
                  <NavItem href="/login" text={t('Login')} current={path === '/login'} />
                  <NavItem href="/register" text={t('Register')} current={path === '/register'} />
                </>
              )}
            </ul>
          </nav>
        )}
      </header>
    </>
  )
}

function Finder({ q }: { q: string }) {
  return (
    <search>
      <form className="finder" action="/allInstruments">
        <input
          type="search"
          name="q"
          aria-label={t('Search')}
          placeholder={t('Search instruments')}
          maxLength={200}
          defaultValue={q}
        />{' '}
        <Button variant="quiet">{t('Find')}</Button>
      </form>
    </search>
  )
}

/** A row of a phone has place for six. */
function Families({ current }: { current: string | null }) {
  const items = shownFamilies().map(({ slug, name }) => (
    <NavItem key={slug} href={familyPath(slug)} text={name} current={slug === current} />
  ))
  const row = items.length > 6 ? 4 : 6
  return (
    <nav aria-label={t('Families')}>
      <ul className="site-nav">
        {items.slice(0, row)}
        {items[row] && (
          <li>
            <details className="further">
              <summary className="nav-link">{t('More families')}</summary>
              <ul className="site-nav">{items.slice(row)}</ul>
            </details>
          </li>
        )}
      </ul>
    </nav>
  )
}

function NavItem({ href, text, current }: { href: string; text: string; current: boolean }) {
  return (
    <li>
      <a className="nav-link" href={href} aria-current={current ? 'page' : undefined}>
        {text}
      </a>
    </li>
  )
}

function Fermata() {
  return (
    <svg viewBox="0 0 28 16" aria-hidden="true">
      <path d="M2 15a12 12.5 0 0 1 24 0c-2-13-22-13-24 0" fill="currentColor" stroke="currentColor" />
      <circle cx="14" cy="12.5" r="2.2" fill="currentColor" />
    </svg>
  )
}
