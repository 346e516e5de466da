import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell: (row: Row, index: number) => ReactNode
  /** Figures: right-aligned. */
  numeric?: boolean
  /** The cell that names its row. */
  rowHeader?: boolean
}

interface ResponsiveTableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  /** When the page's heading already says it, only a screen reader needs the caption. */
  captionHidden?: boolean
}

/** A table that becomes labelled, stacked rows on a phone. An empty list is the page's to explain (EmptyState). */
export function ResponsiveTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  captionHidden = true,
}: ResponsiveTableProps<Row>) {
  return (
    <table className="stack-table">
      <caption className={captionHidden ? 'sr-only' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ header, numeric }) => (
            <th key={header} scope="col" className={numeric ? 'numeric' : undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, cell, numeric, rowHeader }) =>
              rowHeader ? (
                <th key={header} scope="row">
                  {cell(row, index)}
                </th>
              ) : (
                <td key={header} data-label={header} className={numeric ? 'numeric' : undefined}>
                  {cell(row, index)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
