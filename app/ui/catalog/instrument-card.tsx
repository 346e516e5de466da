import { catalogPath, firstWords, purchasePath } from '../../store/catalog/catalog'
import { describeShortage, type currentSale, type Instrument } from '../../store/catalog/instruments'
import { ButtonLink } from '../button'
import { InstrumentPrice } from './instrument-price'
import { Picture } from './picture'
import { formatValue, t } from '../../i18n/language'

type Shown = 'id' | 'slug' | 'name' | 'img' | 'description' | 'brand' | 'minQuantity' | 'availableQuantity'

interface InstrumentCardProps {
  instrument: Pick<Instrument, Shown> & Parameters<typeof currentSale>[0]
  /** For images above the fold. */
  eager?: boolean
  /** Without a link: the instrument does not exist yet. */
  isPreview?: boolean
}

export function InstrumentCard({ instrument, eager = false, isPreview = false }: InstrumentCardProps) {
  const { id, name, img, description, brand, minQuantity, availableQuantity } = instrument
  const titleId = `instrument-${id}`
  const shortage = describeShortage(instrument)
  return (
    <article className="card" aria-labelledby={titleId}>
      {img ? (
        <Picture
          img={img}
          // The heading beside it says the name.
          alt=""
          width={320}
          sizes="(min-width: 64rem) 23rem, (min-width: 40rem) 45vw, 5.5rem"
          lazy={!eager}
        />
      ) : (
        <div className="product-image" />
      )}
      <div>
        <h3 id={titleId}>{isPreview ? name : <a href={catalogPath(instrument)}>{name}</a>}</h3>
        {brand && <p>{t('By {brand}', { brand })}</p>}
        <p>{firstWords(description, 100)}</p>
      </div>
      <div className="card-foot">
        <div>
          <InstrumentPrice instrument={instrument} />
          <dl className="figures">
            <div>
              <dt>{t('Minimum Order')}</dt>
              <dd>{formatValue(minQuantity)}</dd>
            </div>
            <div>
              <dt>{t('Available')}</dt>
              <dd>{formatValue(availableQuantity)}</dd>
            </div>
          </dl>
        </div>
        {isPreview ? (
          <span className="button button-quiet">{t('Purchase')}</span>
        ) : (
          <ButtonLink variant="quiet" href={purchasePath(id)} aria-describedby={titleId}>
            {t('Purchase')}
          </ButtonLink>
        )}
        {shortage && <p className="error">{shortage}</p>}
      </div>
    </article>
  )
}
