import type { PublishedOperator } from '~/operator/record.server'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'

const columns: Column<PublishedOperator>[] = [
  { name: 'Handle', cell: ({ handle }) => <span className="wrap-anywhere">{handle}</span> },
  { name: 'Since', className: 'figures', cell: ({ since }) => <When date={since} day /> },
  {
    name: 'Until',
    className: 'figures',
    cell: ({ until }) => (until ? <When date={until} day /> : <span className="text-muted">active</span>),
  },
]

/** Everyone who is or was an operator. */
export function OperatorTable({ operators }: { operators: PublishedOperator[] }) {
  return <Table columns={columns} rows={operators} keyOf={({ handle }) => handle} live className="mt-6" />
}
