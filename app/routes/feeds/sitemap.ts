import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { element, fileResponse, xmlHead } from '../../http/formats/xml.server'
import { readSitemap } from '../../store/catalog/feeds.server'
import { catalogPath } from '../../store/catalog/catalog'
import { familyPath, shownFamilies } from '../../store/catalog/families'
import { pagePath } from '../../store/pages/pages'
import { publicPages } from '../../pages'
import { pathIn } from '../../i18n/paths'

const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** `/home` is the same as `/`. */
const pages = Object.keys(publicPages).filter((path) => path !== '/' && !path.includes(':'))

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { origin } = context
  const typed = new URL(request.url).searchParams.get('page')
  // Each spelling would be a copy of its own.
  if (typed !== null && !/^[1-9]\d{0,4}$/.test(typed)) throw new Response(null, { status: 404 })
  const page = Number(typed)
  const { slugs, texts, files } = await readSitemap(context, Math.max(page, 1))
  const location = (path: string) => element('loc', origin + path)
  const isBilingual = context.settings.secondLanguage === 'de'
  if (page > Math.max(files, 1)) throw new Response(null, { status: 404 })
  if (page === 0 && files > 1) {
    const sitemaps = Array.from({ length: files }, (_, index) => location(`/sitemap.xml?page=${index + 1}`))
    return xml('sitemapindex', 'sitemap', sitemaps)
  }
  const paths = [
    ...(page > 1 ? [] : [...pages, ...shownFamilies().map(({ slug }) => familyPath(slug)), ...texts.map(pagePath)]),
    ...slugs.map((slug) => catalogPath({ slug })),
  ]
  if (!isBilingual) return xml('urlset', 'url', paths.map(location))
  const both = paths.flatMap((path) => {
    const links = alternates(origin, path)
    return [path, pathIn('de', path)].map((each) => location(each) + links)
  })
  return xml('urlset', 'url', both, { 'xmlns:xhtml': 'http://www.w3.org/1999/xhtml' })
}

/** Each language names all. */
function alternates(origin: string, path: string): string {
  return (['en', 'de'] as const)
    .map((hreflang) => element('xhtml:link', '', { rel: 'alternate', hreflang, href: origin + pathIn(hreflang, path) }))
    .join('')
}

function xml(list: string, item: string, locations: string[], namespaces = {}): Promise<Response> {
  const items = locations.map((location) => element(item, [location]))
  return fileResponse(xmlHead + element(list, items, { xmlns, ...namespaces }), 'application/xml')
}
