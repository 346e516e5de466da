import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { readCatalogPage } from '../store/catalog/catalog-page.server'
import { breadcrumb, catalogPath, familyNames } from '../store/catalog/catalog'
import { describeShortage, type Instrument } from '../store/catalog/instruments'
import { instrumentData, instrumentMeta } from '../ui/catalog/structured-data'
import { ButtonLink } from '../ui/button'
import { DetailFigure } from '../ui/catalog/detail-figure'
import { InstrumentCard } from '../ui/catalog/instrument-card'
import { Picture } from '../ui/catalog/picture'
import { PriceBreaks } from '../ui/catalog/price-breaks'
import { WishForm } from '../ui/catalog/wish-form'
import { PageHeader } from '../ui/layout/page-header'
import { SectionHeader } from '../ui/layout/section-header'
import { Notice } from '../ui/notice'
import { Price } from '../ui/price'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data ? instrumentMeta(data.instrument, data.origin) : []

export const handle = { offline: true }

export async function loader({ params, context }: LoaderFunctionArgs) {
  const slug = params.slug ?? ''
  const page = await readCatalogPage(context, slug)
  if (!page) throw new Response(null, { status: 404 })
  if (page.isRemoved) throw new Response(null, { status: 410 })
  if (page.instrument.slug !== slug) throw redirect(catalogPath(page.instrument), 301)
  return { ...page, origin: context.origin }
}

export default function CatalogPage() {
  const { instrument, companions, siblings, origin } = useLoaderData<typeof loader>()
  const { family } = instrument
  return (
    <>
      <Breadcrumb instrument={instrument} />
      <Details instrument={instrument} />
      <More title={family === 'cases' ? 'Fits in this case' : 'A case for it'} instruments={companions} />
      <More title={family ? `More ${familyNames[family].toLowerCase()}` : ''} instruments={siblings} />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: instrumentData(instrument, origin) }} />
    </>
  )
}

function Breadcrumb({ instrument }: { instrument: Instrument }) {
  const trail = breadcrumb(instrument)
  return (
    <nav className="breadcrumb" aria-label="Breadcrumb">
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
  const { id, name, img, brand, family, description, priceCents, priceBreaks, minQuantity, availableQuantity } =
    instrument
  const shortage = describeShortage(instrument)
  return (
    <div className="purchase">
      <Picture img={img} alt={name} width={480} sizes="(min-width: 48rem) 28rem, 100vw" />
      <div>
        <PageHeader title={name} lead={brand ? `By ${brand}` : undefined}>
          <p className="purchase-price">
            <Price cents={priceCents} /> each
          </p>
          <PriceBreaks breaks={priceBreaks} />
          <dl className="figures">
            <div>
              <dt>Availability</dt>
              <dd>{shortage ?? `${availableQuantity} in stock`}</dd>
            </div>
            <div>
              <dt>Minimum order</dt>
              <dd>{minQuantity === 1 ? '1 piece' : `${minQuantity} pieces`}</dd>
            </div>
            {family && (
              <div>
                <dt>Family</dt>
                <dd>{familyNames[family]}</dd>
              </div>
            )}
          </dl>
        </PageHeader>
        <p>{description}</p>
        {shortage && <Notice tone="error">{shortage}. More may come when an unpaid order is cancelled.</Notice>}
        <div className="actions">
          <ButtonLink href={`/instruments/${id}`}>Purchase</ButtonLink>
          {shortage && <WishForm instrumentId={id} />}
          <a href={`/dashboard/quotes/new?instrument=${encodeURIComponent(id)}`}>Ask for a price</a>
        </div>
        <dl className="facts">
          <div>
            <dt>Delivery</dt>
            <dd>Included in the price. We ship after you pay, and email you.</dd>
          </div>
          <div>
            <dt>Returns</dt>
            <dd>
              Not what you expected? <a href="/home#contact">Write to us</a> before you send it back.
            </dd>
          </div>
        </dl>
        <DetailFigure img={img} />
      </div>
    </div>
  )
}

function More({ title, instruments }: { title: string; instruments: Instrument[] }) {
  if (instruments.length === 0) return null
  return (
    <section className="section" aria-label={title}>
      <SectionHeader title={title} />
      <div className="cards">
        {instruments.map((instrument) => (
          <InstrumentCard key={instrument.id} instrument={instrument} />
        ))}
      </div>
    </section>
  )
}
