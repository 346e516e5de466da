import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { streamOf } from '../../http/formats/stream.server'
import { rowsOfPart, readThrottle } from '../../http/request/read-throttle.server'
import { element, fileResponse, xmlHead } from '../../http/formats/xml.server'
import { readInBatches } from '../../store/catalog/feeds.server'
import { catalogPath } from '../../store/catalog/catalog'
import { familyName } from '../../store/catalog/families'
import { specificationOf } from '../../store/catalog/field-words'
import { describeShortage, smallestOrderCents, type Instrument } from '../../store/catalog/instruments'
import { dollarsText } from '../../store/shared/money'
import { rasterImages } from '../../ui/catalog/structured-data'
import { shopName } from '../../shop-name'
import { cutText } from '../../store/shared/text'

/** https://support.google.com/merchants/answer/7052112 (product data specification), as RSS 2.0. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { origin } = context
  const batches = readInBatches(context, undefined, rowsOfPart)
  const first = (await batches.next()).value as Instrument[]
  const second = await batches.next()
  const text = (list: Instrument[]) => list.map((instrument) => item(instrument, context)).join('')
  const head = `${xmlHead}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${[
    element('title', shopName),
    element('link', origin),
    element('description', 'Handcrafted string, brass and woodwind instruments, and cases'),
  ].join('')}`
  const foot = '</channel></rss>'
  if (second.done) return fileResponse(head + text(first) + foot, 'application/xml')
  async function* parts() {
    yield head + text(first) + text(second.value as Instrument[])
    for (;;) {
      await readThrottle.take()
      const batch = await batches.next()
      if (batch.done) break
      yield text(batch.value)
    }
    yield foot
  }
  return new Response(streamOf(parts()), { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}

/**
 * Of the smallest order, as Google asks for where pieces are sold in bulk (https://support.google.com/merchants/answer/6324371), and of how many pieces it is,
 * from which a reader works out the price of one. With the sale that is on, or planned: readers fetch the feed once a day. `g:price` is the one that its page strikes through.
 */
function prices(instrument: Instrument, now: number): string[] {
  const { priceCents, regularCents, saleCents, saleFromAt, saleUntilAt, priorCents, minQuantity } = instrument
  const usd = (cents: number) => `${dollarsText(smallestOrderCents(instrument, cents))} USD`
  const pieces =
    minQuantity === 1
      ? []
      : [element('g:unit_pricing_measure', `${minQuantity} ct`), element('g:unit_pricing_base_measure', '1 ct')]
  const isOn = priceCents < regularCents
  const isPlanned = saleFromAt !== null && saleFromAt > now
  if ((!isOn && !isPlanned) || saleCents === null || priorCents === null || priorCents <= saleCents)
    return [element('g:price', usd(priceCents)), ...pieces]
  const time = (at: number) => `${new Date(at).toISOString().slice(0, 16)}+0000`
  return [
    element('g:price', usd(isOn ? priorCents : regularCents)),
    element('g:sale_price', usd(saleCents)),
    element('g:sale_price_effective_date', `${time(saleFromAt!)}/${time(saleUntilAt! - 60_000)}`),
    ...pieces,
  ]
}

function item(instrument: Instrument, { origin, now }: Pick<AppLoadContext, 'origin' | 'now'>): string {
  const { id, name, brand, family, description, minQuantity } = instrument
  const [first, ...others] = rasterImages(instrument, origin)
  const minimum = minQuantity > 1 ? ` Minimum order: ${minQuantity} pieces.` : ''
  return element('item', [
    element('g:id', cutText(id, 50)),
    element('g:title', name),
    element('g:description', `${description || name}${minimum}`),
    element('g:link', origin + catalogPath(instrument)),
    element('g:image_link', first!),
    ...others.map((image) => element('g:additional_image_link', image)),
    element('g:availability', describeShortage(instrument) ? 'out_of_stock' : 'in_stock'),
    ...prices(instrument, now()),
    element('g:condition', 'new'),
    element('g:brand', brand ?? shopName),
    element('g:identifier_exists', 'no'),
    element('g:google_product_category', 'Arts & Entertainment > Hobbies & Creative Arts > Musical Instruments'),
    ...(familyName(family) ? [element('g:product_type', familyName(family))] : []),
    ...specificationOf(instrument).map(([name, value]) =>
      element('g:product_detail', [element('g:attribute_name', name), element('g:attribute_value', value)]),
    ),
  ])
}
