import { ownPages, patternOf, publicForms, publicPages } from '../pages'
import { language } from './language'

export const germanPrefix = '/de'

const pages = patternOf([...Object.keys(publicPages), ...publicForms, ...ownPages])
/** With the data of pages that have scripts. */
const translated = new RegExp(`^(${pages}(\\.data)?|/__manifest)$`)

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
