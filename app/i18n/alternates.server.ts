import { isPublicPage } from '../pages'
import { language } from './language'
import { isTranslated, pathIn } from './paths'

/** What search engines read: lists by what was typed are not among it. */
const isIndexed = (path: string) => isPublicPage(path.replace(/\?(family|page)=\w[\w-]*(&page=\d+)?$/, ''))

/** A page that exists in both languages: the link to the other one, and for search engines the addresses of both. */
export function inBothLanguages(request: Request, origin: string) {
  const { pathname, search } = new URL(request.url)
  // Without what its forms have sent.
  const path = pathname.replace(/\.data$/, '') + search.replace(/[?&](send|index)=?(?=&|$)/g, '').replace(/^&/, '?')
  const [code, name] = language() === 'en' ? (['de', 'Deutsch'] as const) : (['en', 'English'] as const)
  const codes = isIndexed(path) ? (['en', 'de', 'x-default'] as const) : []
  return {
    other: isTranslated(path) ? { language: code, name, address: origin + pathIn(code, path) } : null,
    alternates: codes.map((code) => [code, origin + pathIn(code === 'de' ? 'de' : 'en', path)] as const),
  }
}
