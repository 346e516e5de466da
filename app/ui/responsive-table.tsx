import type { ReactNode } from 'react'
import { FormError } from './form-error'

export interface Column<Row> {
  header: string
  /** Shorter, for a phone. */
  label?: string
  cell: (row: Row, index: number) => ReactNode
  numeric?: boolean
  rowHeader?: boolean
  /** The id of what names the row, where its header says more than that: it is spoken with each cell. */
  nameId?: (row: Row) => string
}

export type Refusal<Row> = { row: Row; errors: string[] | undefined } | undefined

interface ResponsiveTableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  captionHidden?: boolean
  className?: string
  /** Shown in the last cell of the row. */
  refusal?: Refusal<Row>
}

export function ResponsiveTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  captionHidden = true,
  className,
  refusal,
}: ResponsiveTableProps<Row>) {
  return (
    <table className={className ? `responsive-table ${className}` : 'responsive-table'}>
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
            {columns.map(({ header, label = header, cell, numeric, rowHeader, nameId }, column) =>
              rowHeader ? (
                <th key={header} scope="row" aria-labelledby={nameId?.(row)}>
                  {cell(row, index)}
                </th>
              ) : (
                <td key={header} data-label={label} className={numeric ? 'numeric' : undefined}>
                  {cell(row, index)}
                  {refusal?.row === row && column === columns.length - 1 && <FormError errors={refusal.errors} />}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
