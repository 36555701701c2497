import type { ReactNode } from 'react'
import type { Text } from '../locales/i18n'
import { useLanguage } from '../locales/react'

/** A column. `name` is the heading and, on a narrow screen, the label of each cell. */
export interface Column<Row> {
  name: Text
  className?: string
  cell: (row: Row) => ReactNode
}

/** A table whose rows have the same columns. */
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
  /** Whether the table is in a live region. The script of live regions identifies rows by their keys. */
  live?: boolean
  className?: string
}) {
  const { i18n } = useLanguage()
  const named = columns.map(({ name, ...column }) => ({ ...column, name: i18n._(name) }))
  return (
    <table className={className ? `ledger ledger-labelled ${className}` : 'ledger ledger-labelled'}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {named.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-key={live ? keyOf(row) : undefined}>
            {named.map(({ name, className, cell }) => (
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
