import { daysShown, type DayOfInstrument } from '../../store/catalog/visits'
import { day as dayLength, formatDay } from '../../store/shared/dates'
import { visitMonths } from '../../store/shared/limits'
import { Bar } from '../bar'
import { SectionHeader } from '../layout/section-header'
import { ResponsiveTable, type Column } from '../responsive-table'

/** With a bar in proportion to the most views of `rows`. */
export function viewsOf<Row extends { views: number }>(rows: Row[]): Column<Row> {
  const most = Math.max(...rows.map(({ views }) => views), 1)
  return {
    header: 'Views',
    numeric: true,
    cell: ({ views }) => (
      <>
        {views}
        <Bar share={views / most} />
      </>
    ),
  }
}

/** What happened to an instrument in its last 30 days. */
export function DaysOfInstrument({ days }: { days: DayOfInstrument[] }) {
  return (
    <section className="section" aria-labelledby="visits">
      <SectionHeader title={`Last ${daysShown} days`} id="visits" />
      {days.length === 0 ? (
        <p>It was neither viewed nor bought.</p>
      ) : (
        <ResponsiveTable
          caption={`Last ${daysShown} days`}
          rows={days}
          rowKey={({ day }) => String(day)}
          columns={[
            { header: 'Day', rowHeader: true, cell: ({ day }) => formatDay(day * dayLength) },
            viewsOf(days),
            { header: 'Paid orders', numeric: true, cell: ({ orders }) => orders },
            { header: 'Pieces', numeric: true, cell: ({ pieces }) => pieces },
          ]}
        />
      )}
      <CountedVisits />
    </section>
  )
}

export function CountedVisits() {
  return (
    <details>
      <summary>How visits are counted</summary>
      <ul className="rules">
        <li>
          A view is a public page of an instrument that was sent to a browser, a search the first page of its results.
          Robots that say so, pages fetched in advance and pages read offline do not count. Days are of UTC.
        </li>
        <li>
          Nobody is followed: no cookie, no address, only numbers, for {visitMonths} months. Who looks twice counts
          twice, and so do you.
        </li>
        <li>Visits appear after some seconds, and some seconds of them may be lost. Orders are exact.</li>
      </ul>
    </details>
  )
}
