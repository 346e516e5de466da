import type { ReactNode } from 'react'
import type { Instrument } from '../../store/catalog/instruments'
import { Picture } from '../catalog/picture'
import { PageHeader } from '../layout/page-header'
import { Price } from '../price'
import { t } from '../../i18n/language'
import { rich } from '../rich'

interface AuthCardProps {
  title: string
  lead?: ReactNode
  /** What the visitor wants to purchase. */
  instrument?: Instrument | null
  children: ReactNode
}

export function AuthCard({ title, lead, instrument, children }: AuthCardProps) {
  return (
    <div className="auth">
      <div>
        <PageHeader title={title} lead={lead} />
        {instrument && <ChosenInstrument instrument={instrument} />}
        {children}
      </div>
      <aside className="auth-aside" aria-label={t('What you can do with an account')}>
        <Picture img={instrument?.img ?? '/art/about.svg'} alt="" width={480} height={360} sizes="36rem" lazy />
        <h2>{t('With an account you can')}</h2>
        <ul className="ruled">
          <li>{t('Order instruments and cases')}</li>
          <li>{t('Pay by card')}</li>
          <li>{t('Cancel an unpaid order')}</li>
          <li>{t('Write a review')}</li>
        </ul>
      </aside>
    </div>
  )
}

function ChosenInstrument({ instrument: { name, img, priceCents, minQuantity } }: { instrument: Instrument }) {
  return (
    <div className="with-thumbnail chosen">
      <Picture img={img} alt="" width={64} sizes="64px" />
      <div>
        <h2>{name}</h2>
        <p>
          {rich('{price} each, minimum order {count}', { price: <Price cents={priceCents} />, count: minQuantity })}
        </p>
      </div>
    </div>
  )
}
