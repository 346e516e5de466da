import { ButtonLink } from '../button'
import { PageHeader } from './page-header'

export function NotFound() {
  return (
    <div className="not-found">
      <img src="/art/not-found.svg" alt="A violin with a broken string" width={480} height={360} />
      <PageHeader
        title="Page not found"
        lead="There is nothing at this address. The instrument may have been sold, or the link has a wrong note in it."
      >
        <p>
          <ButtonLink href="/allInstruments">See all instruments</ButtonLink>
        </p>
      </PageHeader>
    </div>
  )
}
