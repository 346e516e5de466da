import { useLocation } from '@remix-run/react'
import { ButtonLink } from '../button'
import { PageHeader } from './page-header'

export function NotFound() {
  const isInstrument = /^\/(catalog|instruments)\//.test(useLocation().pathname)
  const why = isInstrument ? 'The instrument may no longer be on sale, or the' : 'The'
  return (
    <div className="not-found">
      <img src="/art/not-found.svg" alt="A violin with a broken string" width={480} height={360} />
      <PageHeader title="Page not found" lead={`There is nothing at this address. ${why} link may be wrong.`}>
        <p>
          <ButtonLink href="/allInstruments">View All Instruments</ButtonLink>
        </p>
      </PageHeader>
    </div>
  )
}
