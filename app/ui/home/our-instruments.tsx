import type { Instrument } from '../../store/catalog/instruments'
import { EmptyState } from '../empty-state'
import { InstrumentCard } from '../catalog/instrument-card'
import { SectionHeader } from '../layout/section-header'

export function OurInstruments({ instruments }: { instruments: Instrument[] }) {
  return (
    <section className="section" aria-labelledby="our-instruments">
      <SectionHeader title="Our Instruments" id="our-instruments">
        <a href="/allInstruments">View All Instruments</a>
      </SectionHeader>
      {instruments.length > 0 ? (
        <div className="cards">
          {instruments.map((instrument, index) => (
            <InstrumentCard key={instrument.id} instrument={instrument} eager={index < 2} />
          ))}
        </div>
      ) : (
        <EmptyState title="Nothing on sale right now" link={{ href: '#contact', text: 'Contact us' }}>
          Tell us what you are looking for.
        </EmptyState>
      )}
    </section>
  )
}
