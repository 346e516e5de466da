import type { DeliveryTerms } from '../../store/orders/delivery-terms'
import { ButtonLink } from '../button'
import { DeliveryFacts } from '../catalog/delivery-facts'

interface HeroProps {
  picture: boolean
  terms: DeliveryTerms
}

export function Hero({ picture, terms }: HeroProps) {
  return (
    <section className="hero">
      <div>
        <p className="kicker">Strings, brass, woodwind and cases</p>
        <h1>Hello Music Lovers</h1>
        <p className="lead">
          For over four decades we have designed, imported and distributed handcrafted instruments, at fair prices.
        </p>
        <ButtonLink href="/allInstruments">Get Started</ButtonLink>
        <DeliveryFacts {...terms}>
          <div>
            <dt>Payment</dt>
            <dd>By card, now or later. Cancel until you have paid.</dd>
          </div>
        </DeliveryFacts>
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
