import { formatDayNumber } from '../../store/shared/dates'
import { formatCents } from '../../store/shared/money'
import type { Period } from '../../store/screens/overview'
import { ResponsiveTable } from '../responsive-table'

interface SalesChartProps {
  title: string
  periods: Period[]
  /** Such as 'Day'. */
  unit: string
}

const height = 120

/** Revenue as bars; the same figures follow as a table. */
export function SalesChart({ title, periods, unit }: SalesChartProps) {
  const highest = Math.max(...periods.map(({ revenueCents }) => revenueCents))
  const total = periods.reduce((sum, { revenueCents }) => sum + revenueCents, 0)
  const step = 600 / periods.length
  const sold = periods.filter(({ orders }) => orders > 0).reverse()
  return (
    <figure className="sales-chart">
      <figcaption>
        <h3>{title}</h3>
        <p>
          {sold.length > 0 ? formatCents(total) : 'Nothing was sold.'}
          {highest > 0 && (
            <span className="hint">
              {' '}
              best {unit.toLowerCase()} {formatCents(highest)}
            </span>
          )}
        </p>
      </figcaption>
      {sold.length > 0 && (
        <>
          <svg viewBox={`0 0 600 ${height + 1}`} preserveAspectRatio="none" aria-hidden="true">
            {periods.map(({ from, revenueCents }, nth) => {
              const bar = highest === 0 ? 0 : Math.max((revenueCents / highest) * height, revenueCents > 0 ? 2 : 0)
              return (
                <rect
                  key={from}
                  x={round(nth * step)}
                  y={round(height - bar)}
                  width={round(step * 0.75)}
                  height={round(bar)}
                />
              )
            })}
            <path d={`M0 ${height + 0.5}h600`} />
          </svg>
          <p className="chart-ends hint">
            <span>{formatDayNumber(periods[0]!.from)}</span> <span>{formatDayNumber(periods.at(-1)!.from)}</span>
          </p>
          <details>
            <summary>The figures as a table</summary>
            <ResponsiveTable
              caption={title}
              className="compact"
              rows={sold}
              rowKey={({ from }) => String(from)}
              columns={[
                {
                  header: unit,
                  rowHeader: true,
                  cell: ({ from, days }) => (days > 1 ? `From ${formatDayNumber(from)}` : formatDayNumber(from)),
                },
                { header: 'Orders', numeric: true, cell: ({ orders }) => orders },
                { header: 'Revenue', numeric: true, cell: ({ revenueCents }) => formatCents(revenueCents) },
              ]}
            />
          </details>
        </>
      )}
    </figure>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
