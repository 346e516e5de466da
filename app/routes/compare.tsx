import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { catalogPath, comparePath, mostCompared, purchasePath } from '../store/catalog/catalog'
import { compareInstruments } from '../store/catalog/compare.server'
import { specificationOf } from '../store/catalog/field-words'
import { describeStock } from '../store/catalog/stock'
import type { Instrument } from '../store/catalog/instruments'
import { formatCents } from '../store/shared/money'
import { Picture } from '../ui/catalog/picture'
import { EmptyState } from '../ui/empty-state'
import { PageHeader } from '../ui/layout/page-header'
import { SectionHeader } from '../ui/layout/section-header'
import { ResponsiveTable } from '../ui/responsive-table'
import { shopName } from '../shop-name'
import { formatValue, t } from '../i18n/language'

export const meta: MetaFunction = () => [
  { title: `${t('Compare')} · ${shopName}` },
  { name: 'robots', content: 'noindex' },
]

export function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  return compareInstruments(
    context,
    searchParams.getAll('ids').flatMap((ids) => ids.split(',')),
  )
}

export default function Compare() {
  const { instruments, others, isMore } = useLoaderData<typeof loader>()
  const ids = instruments.map(({ id }) => id)
  const rows = rowsOf(instruments)
  const different = rows.filter(({ isDifferent }) => isDifferent).length
  return (
    <>
      <PageHeader
        title={t('Compare')}
        lead={
          instruments.length > 1 && t('{count} of {all} rows differ, in bold.', { count: different, all: rows.length })
        }
      />
      {isMore && (
        <p className="notice" role="status">
          {t('These are the first {count}: more do not fit beside each other.', { count: mostCompared })}
        </p>
      )}
      {instruments.length === 0 ? (
        <EmptyState title={t('Nothing to compare')} link={{ href: '/allInstruments', text: t('View All Instruments') }}>
          {t('Tick two to four instruments in the list.')}
        </EmptyState>
      ) : (
        <>
          <ul className="small-cards">
            {instruments.map((instrument) => (
              <li key={instrument.id}>
                <div className="small-card">
                  <Picture img={instrument.img} alt="" width={80} sizes="4.5rem" />
                  <span>
                    <a href={catalogPath(instrument)} id={instrument.id}>
                      {instrument.name}
                    </a>{' '}
                    <a href={purchasePath(instrument.id)} aria-describedby={instrument.id}>
                      {t('Purchase')}
                    </a>{' '}
                    {ids.length > 1 && (
                      <a href={comparePath(ids.filter((id) => id !== instrument.id))} aria-describedby={instrument.id}>
                        {t('Remove')}
                      </a>
                    )}
                  </span>
                </div>
              </li>
            ))}
          </ul>
          <ResponsiveTable
            caption={t('Compare')}
            className="compared"
            rows={rows}
            rowKey={({ name }) => name}
            columns={[
              { header: t('Property'), rowHeader: true, cell: ({ name }) => name },
              ...instruments.map(({ name }, n) => ({
                header: ids.length > 1 ? `${n + 1}. ${name}` : name,
                cell: ({ values, isDifferent }: Row) => (isDifferent ? <b>{values[n] || '–'}</b> : values[n] || '–'),
              })),
            ]}
          />
        </>
      )}
      {others.length > 0 && (
        <section className="section">
          <SectionHeader title={t('Compare with')} />
          <ul className="actions">
            {others.map(({ id, name }) => (
              <li key={id}>
                <a href={comparePath([...ids, id])}>{name}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface Row {
  name: string
  /** In the order of the instruments. */
  values: string[]
  isDifferent: boolean
}

function rowsOf(instruments: Instrument[]): Row[] {
  const all = instruments.map(
    (instrument) =>
      new Map([
        [t('Price'), formatCents(instrument.priceCents)],
        [t('Minimum Order'), formatValue(instrument.minQuantity)],
        [t('Stock'), describeStock(instrument)],
        ...specificationOf(instrument),
      ]),
  )
  return [...new Set(all.flatMap((each) => [...each.keys()]))].map((name) => {
    const values = all.map((each) => each.get(name) ?? '')
    return { name, values, isDifferent: new Set(values).size > 1 }
  })
}
