import { ButtonLink } from '../button'

export function About() {
  return (
    <section className="section split" aria-labelledby="about">
      <img className="product-image" src="/art/about.svg" alt="" width={480} height={360} loading="lazy" />
      <div>
        <h2 id="about">About Us</h2>
        <p className="lead">
          Over four decades of sourcing handcrafted instruments have taught us what to look for: sound wood, clean
          joints, keys that close. The shop has grown order by order, and we still choose each piece the same way before
          it goes to players, teachers and small shops.
        </p>
        <ButtonLink variant="quiet" href="#contact">
          Know More
        </ButtonLink>
      </div>
    </section>
  )
}
