import { language } from './language'

export const germanPrefix = '/de'

/** The pages that exist in German. All others, those of the desk and the JSON API are English's. */
const pages = [
  ...['', 'home', 'allInstruments', 'catalog/:', 'instruments/:', 'reviews', 'pages/:'],
  ...['login', 'login/code', 'login/confirm', 'login/passkey', 'register', 'forgot-password', 'reset-password'],
  ...['verify-email', 'sign-out', 'auth/google'],
  ...['dashboard', 'dashboard/myOrders', 'dashboard/myOrders/:', 'dashboard/myOrders/payment/:'],
  ...['dashboard/myOrders/receipt/:', 'dashboard/myOrders/invoice/:', 'dashboard/myOrders/invoice/:/:'],
  ...['dashboard/addReview', 'dashboard/myProfile', 'dashboard/wishes'],
  ...['dashboard/myProfile/sessions', 'dashboard/myProfile/passkey', 'dashboard/myProfile/secondFactor'],
  ...['dashboard/myProfile/data', 'dashboard/myProfile/data/close', 'dashboard/quotes', 'dashboard/quotes/:'],
]
/** With the data of pages that have scripts. */
const translated = new RegExp(`^/((${pages.join('|').replaceAll(':', '[^/]+')})(\\.data)?|__manifest)$`)

/** A path, which may have a query and a fragment. */
export function isTranslated(path: string): boolean {
  return translated.test(path.replace(/[?#].*/s, ''))
}

/** The same page in the language of this request: a page that is not translated stays what it is. */
export function localPath(path: string): string {
  return language() === 'en' || !isTranslated(path) ? path : pathIn('de', path)
}

export function pathIn(language: 'en' | 'de', path: string): string {
  if (language === 'en') return path
  return germanPrefix + (/^\/(?=$|[?#])/.test(path) ? path.slice(1) : path)
}

/** What stands behind the prefix of a URL that is German's. Null: it is none, whatever it begins with. */
export function withoutPrefix(url: string): string | null {
  const [, origin, path, query = ''] = /^(\w+:\/\/[^/]+)\/de(?:\/([^?]*))?(\?.*)?$/s.exec(url) ?? []
  if (origin === undefined) return null
  return isTranslated(`/${path ?? ''}`) ? `${origin}/${path ?? ''}${query}` : null
}

export function isBelowPrefix(path: string): boolean {
  return /^\/de(\/|$)/.test(path)
}

/** Links and forms of a page, so that they keep the prefix: components name each page by one address. */
export function localizeLinks(html: string): string {
  return html.replace(
    / (href|action|formaction)="(\/[^"]*)"/g,
    (_, name: string, path: string) => ` ${name}="${localPath(path)}"`,
  )
}

/** Of a page: a browser sends it to the paths below its own. That of `/` is for all. */
export function localCookie(cookie: string): string {
  return cookie.replace(/; Path=(\/[^;]+)/i, (_, path: string) => `; Path=${localPath(path)}`)
}
