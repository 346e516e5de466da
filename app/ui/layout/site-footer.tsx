import { shopName } from '../../shop-name'
import { footerColumns, footerWords, type FooterLink } from '../../store/pages/pages'
import { t, type Language } from '../../i18n/language'

const networks = [
  {
    name: 'Facebook' as const,
    path: 'M13.5 21v-8h3l.5-3.5h-3.5V7.5c0-1 .4-1.7 2-1.7h1.600V2.7a20 20 0 0 0-2.5-.2c-2.5 0-4.100 1.5-4.100 4.300v2.7h-3V13h3v8z',
  },
  { name: 'YouTube' as const, path: 'M4 6h16q2 0 2 2v8q0 2-2 2H4q-2 0-2-2V8q0-2 2-2zm6 3.5v5l4.5-2.5z' },
  {
    name: 'Instagram' as const,
    path: 'M7 3.5h10q3.5 0 3.5 3.5v10q0 3.5-3.5 3.5H7q-3.5 0-3.5-3.5V7q0-3.5 3.5-3.5zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8m5-1h.01',
  },
]

export interface OtherLanguage {
  language: Language
  /** In that language. */
  name: string
  /** With the origin. */
  address: string
}

interface SiteFooterProps {
  year: number
  links: FooterLink[]
  /** An address; empty: none. */
  profile: string
  /** The page in the other language, if there is one. */
  other: OtherLanguage | null
  networks: Record<'Facebook' | 'YouTube' | 'Instagram', string>
}

/**
 * An item has no target (spec section 2) until the shopkeeper has published a page of that name (R57); a network is a link when the settings
 * have its address.
 */
export function SiteFooter({ year, links, profile, other, networks: addresses }: SiteFooterProps) {
  const others = links.filter(({ word }) => !footerWords.includes(word))
  return (
    <footer className="site-footer">
      <div className="footer-columns">
        {footerColumns.map(({ title, items }) => (
          <section key={title}>
            <h2>{t(title)}</h2>
            <ul>
              {items.map((item) => (
                <li key={item}>
                  <FooterItem link={links.find(({ word }) => word === item)}>{t(item)}</FooterItem>
                </li>
              ))}
              {title === 'Legal' &&
                others.map((link) => (
                  <li key={link.path}>
                    <FooterItem link={link}>{link.word}</FooterItem>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <div className="footer-end">
        <p>
          Copyright © {year} {shopName}
          {' · '}
          <a className="link" href="/catalog.html">
            {t('The catalog in one file')}
          </a>
          {profile && (
            <>
              {' · '}
              <a className="link" href={profile}>
                {t('Our profile')}
              </a>
            </>
          )}
          {other && (
            <>
              {' · '}
              <a className="link" lang={other.language} hrefLang={other.language} href={other.address}>
                {other.name}
              </a>
            </>
          )}
        </p>
        <ul className="social">
          {networks.map(({ name, path }) => (
            <li key={name}>
              {addresses[name] ? (
                <a href={addresses[name]}>
                  <Network name={name} path={path} />
                </a>
              ) : (
                <Network name={name} path={path} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}

function FooterItem({ link, children }: { link: FooterLink | undefined; children: string }) {
  if (!link) return children
  return (
    <a className="link" href={link.path}>
      {children}
    </a>
  )
}

function Network({ name, path }: { name: string; path: string }) {
  return (
    <>
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
        <path d={path} />
      </svg>
      <span className="sr-only">{name}</span>
    </>
  )
}
