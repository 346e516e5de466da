import { publicForms, publicPages } from '../../pages'
import { language, type Language } from '../../i18n/language'
import { filterKeys } from '../../store/catalog/fields'
import { sessionCookies, signedOutCookies } from '../auth/session.server'
import { decoded, negotiatedPath, publicPath } from '../request/negotiate.server'
import { savesData } from '../response/headers.server'
import { toastCookies } from '../response/toast.server'

const saveDataSuffix = '#saving'

type Query = readonly string[] | 'any'

const isNamed = ([path]: [string, Query]) => !path.includes(':')
const queries: [string, Query][] = Object.entries(publicPages)
const pages: Record<string, Query> = {
  ...Object.fromEntries(queries.filter(isNamed)),
  ...Object.fromEntries(publicForms.map((path) => [path, 'any'] as const)),
  '/allInstruments': [...publicPages['/allInstruments'], ...filterKeys],
  '/catalog.html': [],
}
/** Too many to name: other data centres serve their copy until it expires. */
const below = Object.fromEntries(
  queries.filter((page) => !isNamed(page)).map(([path, query]) => [path.replace(/:.*/, ''), query]),
)
/** The same for everybody, signed in or not. The JSON lists refuse unknown parameters. */
const lists: Record<string, Query> = {
  '/instruments': 'any',
  '/__api/reviews': 'any',
  '/robots.txt': [],
  '/sitemap.xml': ['page'],
  '/feed.xml': [],
  '/merchant.xml': [],
}
/** As the router finds them: in any case, and lists as data of Remix, which nobody asks for but to pass the cache. */
const named = new Map(
  Object.keys({ ...pages, ...lists }).flatMap((path) => {
    const spelling = path.toLowerCase()
    const isFile = path in lists || path === '/catalog.html'
    return [[spelling, path] as const, ...(isFile ? [[`${spelling}.data`, path] as const] : [])]
  }),
)

const personalCookies = new RegExp(
  `(?:^|;\\s*)(?:${[...sessionCookies, ...signedOutCookies, ...toastCookies].join('|')})=`,
)

/** Those of which a data centre may have a copy. */
export const namedKeys = [
  ...Object.keys(pages).flatMap((path) => [path, path + saveDataSuffix].flatMap((key) => [key, keyIn('de', key)])),
  ...Object.keys(lists),
]

/** No path begins like that. */
function keyIn(language: Language, key: string): string {
  return language === 'en' ? key : `${language}:${key}`
}

export interface CacheTarget {
  /** Null where a parameter makes a difference, which is not cached: there are too many. The sitemap’s parts are few. */
  key: string | null
  /** What is rendered: all spellings of a path are one. */
  url: string
  isPage: boolean
  isApi: boolean
  saveData: boolean
  /** The visitor has a session or a toast. */
  isPersonal: boolean
  /** It waits for its turn when no copy answers. */
  isPaced: boolean
}

export function cacheTarget(request: Request): CacheTarget | null {
  const { headers } = request
  // `new URL` would take longer than the rest of a cache hit.
  const [, origin = '', pathname = '', search = ''] = /^(\w+:\/\/[^/]+)([^?]*)(.*)$/.exec(request.url) ?? []
  const negotiated = negotiatedPath(request, pathname)
  if (negotiated === null) return null
  const path =
    named.get(
      decoded(negotiated)
        .replace(/(?<=.)\/+$/, '')
        .toLowerCase(),
    ) ?? negotiated
  const prefix = Object.keys(below).find((prefix) => path.startsWith(prefix))
  const isPage = path in pages || prefix !== undefined
  if (!isPage && !(path in lists)) return null
  const isPersonal = isPage && path !== '/catalog.html' && personalCookies.test(headers.get('cookie') ?? '')
  const reads = pages[path] ?? lists[path] ?? below[prefix!]!
  // Who logs in does not wait for readers.
  const isPaced = !(isPage && reads === 'any')
  if (isPersonal && !isPaced) return null
  const saveData = isPage && savesData(request)
  const query = reads === 'any' ? search : queryOf(reads, search)
  const isCached = query === '' || path === '/sitemap.xml'
  const key = isCached ? keyIn(language(), path + query + (saveData ? saveDataSuffix : '')) : null
  const url = origin + publicPath(path) + query
  return { key, url, isPage, isApi: lists[path] === 'any', saveData, isPersonal, isPaced }
}

/** The part of a query that makes a difference. */
function queryOf(reads: readonly string[], search: string): string {
  if (search === '' || reads.length === 0) return ''
  const all = new URLSearchParams(search)
  const read = new URLSearchParams()
  for (const name of reads) {
    const value = all.get(name)
    if (value !== null) read.set(name, value)
  }
  return read.size > 0 ? `?${read}` : ''
}
