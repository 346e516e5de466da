import { ButtonLink } from '../button'

export function Hero() {
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
      <img src="/art/hero.svg" alt="" width={640} height={480} />
    </section>
  )
}
