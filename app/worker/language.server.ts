import { language } from '../i18n/language'
import { inLanguage } from '../i18n/language.server'
import { germanPrefix, isBelowPrefix, localCookie, localPath, pathIn, withoutPrefix } from '../i18n/paths'
import { isApiCall } from '../http/request/negotiate.server'
import type { ContextStep, Step } from '../http/step'

/** From here on, the path has no prefix: what is rendered, and what is kept of it, goes by `language()`. */
export const speakGerman: Step = (request, _, next) => {
  const plain = withoutPrefix(request.url)
  if (plain === null) return next(request)
  const german = new Request(plain, request)
  // The JSON API has no language.
  if (isApiCall(german) && !isData(german)) return next(request)
  return inLanguage('de', async () => {
    const response = await next(german)
    const location = response.headers.get('location')
    const cookies = response.headers.getSetCookie()
    if (!location?.startsWith('/') && cookies.length === 0) return response
    const localized = new Response(response.body, response)
    if (location?.startsWith('/')) localized.headers.set('location', localPath(location))
    localized.headers.delete('set-cookie')
    for (const cookie of cookies) localized.headers.append('set-cookie', localCookie(cookie))
    return localized
  })
}

/** Of a page, for its scripts. */
function isData({ url }: Request): boolean {
  return new URL(url).pathname.endsWith('.data')
}

/** Where German is off, there is nothing below its prefix, and a login still leads on to the page that its address names. */
export const speakEnglishAlone: ContextStep = async (request, { settings }, next) => {
  if (settings.secondLanguage === 'de') return next(request)
  const response = language() === 'de' ? await inLanguage('en', () => next(withPrefix(request))) : await next(request)
  const location = response.headers.get('location') ?? ''
  if (isBelowPrefix(location)) response.headers.set('location', location.slice(germanPrefix.length) || '/')
  return response
}

/** As it came. */
function withPrefix(request: Request): Request {
  const { origin, pathname, search } = new URL(request.url)
  return new Request(origin + pathIn('de', pathname) + search, request)
}
