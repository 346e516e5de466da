import type { Instrument } from '../../store/catalog/instruments'
import { EmptyState } from '../empty-state'
import { InstrumentCard } from '../catalog/instrument-card'
import { SectionHeader } from '../layout/section-header'
import { t } from '../../i18n/language'

export function OurInstruments({ instruments }: { instruments: Instrument[] }) {
  return (
    <section className="section" aria-labelledby="our-instruments">
      <SectionHeader title={t('Our Instruments')} id="our-instruments">
        <a href="/allInstruments">{t('View All Instruments')}</a>
      </SectionHeader>
      {instruments.length > 0 ? (
        <div className="cards">
          {instruments.map((instrument, index) => (
            <InstrumentCard key={instrument.id} instrument={instrument} eager={index < 2} />
          ))}
        </div>
      ) : (
        <EmptyState title={t('Nothing on sale right now')} link={{ href: '#contact', text: t('Contact us') }}>
          {t('Tell us what you are looking for.')}
        </EmptyState>
      )}
    </section>
  )
}
