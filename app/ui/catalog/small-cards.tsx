import { catalogPath } from '../../store/catalog/catalog'
import type { Instrument } from '../../store/catalog/instruments'
import { SectionHeader } from '../layout/section-header'
import { Price } from '../price'
import { Picture } from './picture'

export function SmallCards({ title, instruments }: { title: string; instruments: Instrument[] }) {
  if (instruments.length === 0) return null
  return (
    <section className="section" aria-label={title}>
      <SectionHeader title={title} />
      <ul className="small-cards">
        {instruments.map((instrument) => (
          <li key={instrument.id}>
            <a className="small-card" href={catalogPath(instrument)}>
              <Picture img={instrument.img} alt="" width={80} sizes="4.5rem" lazy />
              <span>
                {instrument.name} <Price cents={instrument.priceCents} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
