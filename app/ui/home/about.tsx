import { ButtonLink } from '../button'
import { t } from '../../i18n/language'

/** `story`: the shopkeeper's words. */
export function About({ story }: { story: string }) {
  return (
    <section className="section split" aria-labelledby="about">
      <img className="product-image" src="/art/about.svg" alt="" width={480} height={360} loading="lazy" />
      <div>
        <h2 id="about">{t('About Us')}</h2>
        {story.split(/\n+/).map((words) => (
          <p key={words} className="lead">
            {words}
          </p>
        ))}
        <ButtonLink variant="quiet" href="#contact">
          {t('Know More')}
        </ButtonLink>
      </div>
    </section>
  )
}
