import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell: (row: Row, index: number) => ReactNode
  numeric?: boolean
  rowHeader?: boolean
}

interface ResponsiveTableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  captionHidden?: boolean
}

export function ResponsiveTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  captionHidden = true,
}: ResponsiveTableProps<Row>) {
  return (
    <table className="responsive-table">
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
