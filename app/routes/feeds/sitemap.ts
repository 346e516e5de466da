import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { element, fileResponse, xmlHead } from '../../http/formats/xml.server'
import { readSitemap } from '../../store/catalog/feeds.server'
import { catalogPath } from '../../store/catalog/catalog'
import { familyPath, shownFamilies } from '../../store/catalog/families'
import { pagePath } from '../../store/pages/pages'

const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const pages = () => ['/home', '/allInstruments', ...shownFamilies().map(({ slug }) => familyPath(slug)), '/reviews']

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { origin } = context
  const typed = new URL(request.url).searchParams.get('page')
  // Each spelling would be a copy of its own.
  if (typed !== null && !/^[1-9]\d{0,4}$/.test(typed)) throw new Response(null, { status: 404 })
  const page = Number(typed)
  const { slugs, texts, files } = await readSitemap(context, Math.max(page, 1))
  const location = (path: string) => element('loc', origin + path)
  if (page > Math.max(files, 1)) throw new Response(null, { status: 404 })
  if (page === 0 && files > 1) {
    const sitemaps = Array.from({ length: files }, (_, index) => location(`/sitemap.xml?page=${index + 1}`))
    return xml('sitemapindex', 'sitemap', sitemaps)
  }
  const paths = [
    ...(page > 1 ? [] : [...pages(), ...texts.map(pagePath)]),
    ...slugs.map((slug) => catalogPath({ slug })),
  ]
  return xml('urlset', 'url', paths.map(location))
}

function xml(list: string, item: string, locations: string[]): Promise<Response> {
  const items = locations.map((location) => element(item, [location]))
  return fileResponse(xmlHead + element(list, items, { xmlns }), 'application/xml')
}
