import type { ReactNode } from 'react'

/** A column: `name` is its heading, and the label of each of its cells on a narrow screen. */
export interface Column<Row> {
  name: string
  className?: string
  cell: (row: Row) => ReactNode
}

/** A table of rows that share their columns. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  live,
  className,
}: {
  caption?: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Whether the table is in a live region, whose script recognises rows by their keys. */
  live?: boolean
  className?: string
}) {
  return (
    <table className={className ? `ledger ledger-labelled ${className}` : 'ledger ledger-labelled'}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-key={live ? keyOf(row) : undefined}>
            {columns.map(({ name, className, cell }) => (
              <td key={name} data-label={name} className={className}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
