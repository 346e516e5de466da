import { breadcrumb, catalogPath, firstWords } from '../../store/catalog/catalog'
import { familyName } from '../../store/catalog/families'
import { specificationOf } from '../../store/catalog/field-words'
import { rasterImage } from '../../store/catalog/pictures/raster-image'
import { readLogoAddress } from '../../store/catalog/pictures/pictures'
import { currentSale, describeShortage, smallestOrderCents, type Instrument } from '../../store/catalog/instruments'
import { dayText, inLastDay } from '../../store/shared/dates'
import { dollarsText } from '../../store/shared/money'
import { averageOf, type Rating } from '../../store/reviews/reviews'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'
import { localPath } from '../../i18n/paths'

/** One of each picture that has a raster; the first has one in any case. */
export function rasterImages({ img, pictures }: Pick<Instrument, 'img' | 'pictures'>, origin: string): string[] {
  const others = pictures.map((picture) => rasterImage(picture, origin))
  return [rasterImage({ img }, origin), ...others.filter((image) => !image.endsWith('/social-card.png'))]
}

export function instrumentMeta(instrument: Instrument, origin: string) {
  const { name, description } = instrument
  const url = origin + localPath(catalogPath(instrument))
  const summary = firstWords(description, 155) || t('{name}, on sale at {shop}.', { name, shop: shopName })
  return [
    { title: `${name} · ${shopName}` },
    { name: 'description', content: summary },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'product' },
    { property: 'og:title', content: name },
    { property: 'og:description', content: summary },
    { property: 'og:url', content: url },
    { property: 'og:image', content: rasterImage(instrument, origin) },
  ]
}

/** schema.org, as JSON-LD for a script element. */
export function instrumentData(instrument: Instrument, origin: string, rating: Rating | null = null): string {
  const { id, name, brand, family, description, priceCents, minQuantity } = instrument
  const specification = specificationOf(instrument)
  const sale = currentSale(instrument)
  const url = origin + localPath(catalogPath(instrument))
  const [image, ...others] = rasterImages(instrument, origin)
  const shop = { '@type': 'Organization', name: shopName, url: origin }
  return toScript([
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name,
      description: description || name,
      image: others.length > 0 ? [image, ...others] : image,
      sku: id,
      url,
      brand: { '@type': 'Brand', name: brand ?? shopName },
      ...(familyName(family) && { category: familyName(family) }),
      ...(specification.length > 0 && {
        additionalProperty: specification.map(([name, value]) => ({ '@type': 'PropertyValue', name, value })),
      }),
      ...(rating && rating.ratings > 0 && { aggregateRating: aggregateRating(rating) }),
      offers: {
        '@type': 'Offer',
        url,
        price: dollarsText(smallestOrderCents(instrument, priceCents)),
        priceCurrency: 'USD',
        ...(sale && { priceValidUntil: dayText(inLastDay(sale.untilAt)) }),
        ...priceSpecification(instrument, sale?.priorCents),
        availability: `https://schema.org/${describeShortage(instrument) ? 'OutOfStock' : 'InStock'}`,
        itemCondition: 'https://schema.org/NewCondition',
        eligibleQuantity: { '@type': 'QuantitativeValue', minValue: minQuantity, unitCode: piece },
        seller: shop,
      },
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: breadcrumb(instrument).map(({ name, path }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: origin + localPath(path),
      })),
    },
  ])
}

/** UN/CEFACT's code of one piece. */
const piece = 'C62'

/**
 * https://developers.google.com/search/docs/appearance/structured-data/merchant-listing: the price beside which `price` is a sale, and of how many pieces
 * `price` is, so that readers can name that of one. All are of the smallest order.
 */
function priceSpecification(instrument: Instrument, priorCents: number | null | undefined) {
  const { minQuantity } = instrument
  const price = (cents: number) => ({
    '@type': 'UnitPriceSpecification',
    ...{ price: dollarsText(smallestOrderCents(instrument, cents)), priceCurrency: 'USD' },
  })
  const quantity = (value: number) => ({ '@type': 'QuantitativeValue', value, unitCode: piece })
  const all = [
    ...(minQuantity > 1
      ? [
          {
            ...price(instrument.priceCents),
            referenceQuantity: { ...quantity(minQuantity), valueReference: quantity(1) },
          },
        ]
      : []),
    ...(priorCents ? [{ ...price(priorCents), priceType: 'https://schema.org/StrikethroughPrice' }] : []),
  ]
  return all.length > 0 && { priceSpecification: all.length > 1 ? all : all[0] }
}

function aggregateRating(rating: Rating) {
  const { reviews: reviewCount, ratings: ratingCount } = rating
  return {
    '@type': 'AggregateRating',
    ratingValue: averageOf(rating),
    bestRating: 5,
    worstRating: 1,
    ratingCount,
    reviewCount,
  }
}

/** schema.org: who the shop is, for the home page. */
export function organizationData(origin: string, email: string, logo: string): string {
  return toScript({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: shopName,
    url: origin,
    // Google reads SVG too: developers.google.com/search/docs/appearance/structured-data/organization
    logo: origin + (readLogoAddress(logo)?.large ?? '/touch-icon.png'),
    email,
  })
}

/** JSON without `<`, which could end the script element. */
function toScript(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
