import { ButtonLink } from '../button'

export function Hero({ picture }: { picture: boolean }) {
  return (
    <section className="hero">
      <div>
        <p className="kicker">Strings, brass, woodwind and cases</p>
        <h1>Hello Music Lovers</h1>
        <p className="lead">
          For over four decades we have designed, imported and distributed handcrafted instruments, at the best price
          the world market offers.
        </p>
        <ButtonLink href="/allInstruments">Get Started</ButtonLink>
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
