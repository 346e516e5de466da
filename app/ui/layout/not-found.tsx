import { ButtonLink } from '../button'
import { PageHeader } from './page-header'

export function NotFound() {
  return (
    <div className="not-found">
      <img src="/art/not-found.svg" alt="A violin with a broken string" width={480} height={360} />
      <PageHeader title="Page not found" lead="There is nothing at this address. The link may be old or wrong.">
        <p>
          <ButtonLink href="/allInstruments">View All Instruments</ButtonLink>
        </p>
      </PageHeader>
    </div>
  )
}
