export interface HeaderUser {
  name: string
  role: 'customer' | 'admin'
}

interface SiteHeaderProps {
  user: HeaderUser | null
  path?: string
}

export function SiteHeader({ user, path = '' }: SiteHeaderProps) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>{' '}
      <header className="site-header">
        <a className="brand" href="/home">
          <Fermata />
          Cadenza
        </a>
        <nav aria-label="Main">
          <ul className="site-nav">
            <NavItem href="/home" text="Home" current={path === '/' || path === '/home'} />
            <NavItem
              href="/allInstruments"
              text="Instruments"
              current={path === '/allInstruments' || path.startsWith('/catalog/')}
            />
            {user ? (
              <>
                <NavItem href="/dashboard" text="Dashboard" current={path.startsWith('/dashboard')} />
                <li>
                  <form method="post" action="/sign-out">
                    <button className="nav-link">Sign Out</button>
                  </form>
                </li>
                <li className="nav-name">{user.name}</li>
              </>
            ) : (
              <>
                <NavItem href="/login" text="Login" current={path === '/login'} />
                <NavItem href="/register" text="Register" current={path === '/register'} />
              </>
            )}
          </ul>
        </nav>
      </header>
    </>
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
