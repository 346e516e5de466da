import { familyPath, shownFamilies } from '../../store/catalog/families'
import { ButtonLink } from '../button'
import { PageHeader } from './page-header'
import { t } from '../../i18n/language'

export function NotFound() {
  return (
    <div className="not-found">
      <img src="/art/not-found.svg" alt={t('A violin with a broken string')} width={480} height={360} />
      <PageHeader
        title={t('Page not found')}
        lead={t('There is nothing at this address. The link may be old or wrong.')}
      >
        <p>
          <ButtonLink href="/allInstruments">{t('View All Instruments')}</ButtonLink>
        </p>
        <p className="actions">
          {shownFamilies().map(({ slug, name }) => (
            <a key={slug} href={familyPath(slug)}>
              {name}
            </a>
          ))}
        </p>
      </PageHeader>
    </div>
  )
}
