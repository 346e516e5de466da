import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { element, fileResponse, xmlHead } from '../../http/formats/xml.server'
import { readNewest } from '../../store/catalog/feeds.server'
import type { Instrument } from '../../store/catalog/instruments'
import { catalogPath } from '../../store/catalog/catalog'
import { formatCents } from '../../store/shared/money'
import { shopName } from '../../shop-name'

function priceText({ priceCents, minQuantity }: Instrument): string {
  const each = formatCents(priceCents)
  return minQuantity > 1 ? `${each} each, ${minQuantity} at least: ${formatCents(priceCents * minQuantity)}` : each
}

/** RFC 4287: what is new in the shop. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { origin } = context
  const newest = await readNewest(context)
  const updated = (at: number) => element('updated', new Date(at).toISOString())
  const entries = newest.map((instrument) => {
    const url = origin + catalogPath(instrument)
    return element('entry', [
      element('id', url),
      element('title', instrument.name),
      updated(instrument.listedAt),
      element('link', '', { rel: 'alternate', type: 'text/html', href: url }),
      element('summary', `${priceText(instrument)}. ${instrument.description}`.trim()),
    ])
  })
  const feed = element(
    'feed',
    [
      element('id', `${origin}/feed.xml`),
      element('title', `New at ${shopName}`),
      updated(newest[0]?.listedAt ?? 0),
      element('author', [element('name', shopName)]),
      element('link', '', { rel: 'self', type: 'application/atom+xml', href: `${origin}/feed.xml` }),
      element('link', '', { rel: 'alternate', type: 'text/html', href: `${origin}/allInstruments?sort=newest` }),
      ...entries,
    ],
    { xmlns: 'http://www.w3.org/2005/Atom' },
  )
  return fileResponse(xmlHead + feed, 'application/atom+xml')
}
