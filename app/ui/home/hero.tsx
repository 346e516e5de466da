import { familiesInWords } from '../../store/catalog/family-words'
import type { DeliveryTerms } from '../../store/orders/delivery-terms'
import { ButtonLink } from '../button'
import { t } from '../../i18n/language'

interface HeroProps {
  /** Of the shopkeeper, below the specified ones. */
  words: string
  picture: boolean
  terms: DeliveryTerms
}

export function Hero({ words, picture, terms }: HeroProps) {
  return (
    <section className="hero">
      <div>
        <p className="kicker">{familiesInWords()}</p>
        <h1>{t('Hello Music Lovers')}</h1>
        {words && <p className="lead">{words}</p>}
        <ButtonLink href="/allInstruments">{t('Get Started')}</ButtonLink>
        <dl className="promises">
          <div>
            <dt>{t('Delivery')}</dt>
            <dd>{terms.time ?? t('Included in the price')}</dd>
          </div>
          {terms.returns && (
            <div>
              <dt>{t('Returns')}</dt>
              <dd>{terms.returns}</dd>
            </div>
          )}
          <div>
            <dt>{t('Payment')}</dt>
            <dd>{t('By card')}</dd>
          </div>
        </dl>
      </div>
      {picture && (
        <picture>
          <source media="(prefers-reduced-data: reduce)" srcSet="data:image/gif;base64,R0lGODlhAQABAAAAACw=" />
          <img src="/art/hero.svg" alt="" width={640} height={480} {...highPriority} />
        </picture>
      )}
    </section>
  )
}

// React 18 only accepts the lower-case attribute.
const highPriority = { fetchpriority: 'high' }
