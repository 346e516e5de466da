import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { deliveryTermsOf } from '../http/config.server'
import { readCatalogPage } from '../store/screens/catalog-page.server'
import { breadcrumb, catalogPath, comparePath } from '../store/catalog/catalog'
import { choiceError, readChosen } from '../store/catalog/chosen-quantity'
import { familyName } from '../store/catalog/families'
import { specificationOf } from '../store/catalog/field-words'
import { inSentence, isOfCases } from '../store/catalog/family-words'
import { describeShortage, type Instrument } from '../store/catalog/instruments'
import { instrumentData, instrumentMeta } from '../ui/catalog/structured-data'
import { DeliveryFacts } from '../ui/catalog/delivery-facts'
import { Gallery } from '../ui/catalog/gallery'
import { InstrumentPrice } from '../ui/catalog/instrument-price'
import { PriceBreaks } from '../ui/catalog/price-breaks'
import { SaleEnd } from '../ui/catalog/sale-end'
import { InstrumentReviews, RatingStars } from '../ui/catalog/instrument-reviews'
import { MinimumOrder, NewCustomer, PurchaseForm } from '../ui/catalog/purchase-form'
import { SmallCards } from '../ui/catalog/small-cards'
import { Specification } from '../ui/catalog/specification'
import { Stock } from '../ui/catalog/stock'
import { WishForm } from '../ui/catalog/wish-form'
import { PageHeader } from '../ui/layout/page-header'
import { t } from '../i18n/language'
import { pathTo } from '../path-to'
import { rich } from '../ui/rich'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data ? instrumentMeta(data.instrument, data.origin) : []

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const slug = params.slug ?? ''
  const page = await readCatalogPage(context, slug)
  if (!page) throw new Response(null, { status: 404 })
  if (page.isRemoved) throw new Response(null, { status: 410 })
  if (page.instrument.slug !== slug) throw redirect(catalogPath(page.instrument), 301)
  const quantity = new URL(request.url).searchParams.get('quantity')?.trim() ?? ''
  const error = choiceError(quantity, page.instrument)
  const user = await context.user()
  const chosen = { quantity: readChosen(quantity), error, isNew: !user }
  const terms = deliveryTermsOf(context.settings)
  return data(
    { ...page, origin: context.origin, terms, chosen, isAdmin: user?.role === 'admin' },
    { status: error ? 422 : 200 },
  )
}

export default function CatalogPage() {
  const { instrument, companions, siblings, reviewed, origin } = useLoaderData<typeof loader>()
  const { family } = instrument
  return (
    <>
      <Breadcrumb instrument={instrument} />
      <Details instrument={instrument} />
      <div className="aspects">
        <Specification rows={specificationOf(instrument)} />
        <InstrumentReviews instrumentId={instrument.id} {...reviewed} />
      </div>
      <SmallCards title={isOfCases(family) ? t('Fits in this case') : t('A case for it')} instruments={companions} />
      <SmallCards
        title={
          familyName(family) ? t('More {family}', { family: inSentence(familyName(family)) }) : t('More instruments')
        }
        instruments={siblings}
      />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: instrumentData(instrument, origin, reviewed.rating) }}
      />
    </>
  )
}

function Breadcrumb({ instrument }: { instrument: Instrument }) {
  const trail = breadcrumb(instrument)
  return (
    <nav className="breadcrumb" aria-label={t('Breadcrumb')}>
      <ol>
        {trail.slice(0, -1).map(({ name, path }) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
        <li aria-current="page">{instrument.name}</li>
      </ol>
    </nav>
  )
}

function Details({ instrument }: { instrument: Instrument }) {
  const { terms, chosen, reviewed, isAdmin } = useLoaderData<typeof loader>()
  const { id, name, brand, description, priceBreaks } = instrument
  const isShort = describeShortage(instrument) !== null
  return (
    <div className="purchase">
      <Gallery instrument={instrument} />
      <div>
        <PageHeader title={name} lead={brand ? t('By {brand}', { brand }) : undefined}>
          {reviewed.rating && (
            <p>
              <a href="#reviews">
                <RatingStars rating={reviewed.rating} />
              </a>
            </p>
          )}
          <p className="price-line">
            <span className="purchase-price">
              {rich('{price} each', { price: <InstrumentPrice instrument={instrument} /> })}
            </span>{' '}
            <Stock instrument={instrument} />
          </p>
          <SaleEnd instrument={instrument} />
          <MinimumOrder instrument={instrument} />
          {isAdmin && (
            <p className="hint">
              <a href={pathTo('/dashboard/manageProduct/:id', { id })}>{t('Edit')}</a>
            </p>
          )}
        </PageHeader>
        {isShort && <WishForm instrumentId={id} variant="main" />}
        <PurchaseForm instrument={instrument} isShort={isShort} {...chosen} />
        <ul className="key-facts">
          {specificationOf(instrument)
            .slice(0, 3)
            .map((line) => (
              <li key={line[0]}>{line.join(' ')}</li>
            ))}
        </ul>
        {chosen.isNew && !isShort && <NewCustomer />}
        <PriceBreaks breaks={priceBreaks} />
        {!isShort && <VolumePrice instrumentId={id} />}
        <DeliveryFacts {...terms} />
        <p className="description">{description}</p>
        <p>
          <a href={comparePath([id])}>{t('Compare')}</a>
        </p>
      </div>
    </div>
  )
}

/** Quiet, below the price breaks: it needs a verified email, which it says before somebody goes there. */
function VolumePrice({ instrumentId }: { instrumentId: string }) {
  const path = `/dashboard/quotes/new?instrument=${encodeURIComponent(instrumentId)}`
  return (
    <p className="hint">
      {rich('Many pieces? {link}, with a verified email.', {
        link: <a href={path}>{t('Ask for a volume price')}</a>,
      })}
    </p>
  )
}
