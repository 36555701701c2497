import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { PublishedOperator } from '~/operator/published-acts.server'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'

const columns: Column<PublishedOperator>[] = [
  { name: msg`Handle`, cell: ({ handle }) => <span className="wrap-anywhere">{handle}</span> },
  { name: msg`Since`, className: 'figures', cell: ({ since }) => <When date={since} day /> },
  {
    name: msg`Until`,
    className: 'figures',
    cell: ({ until }) =>
      until ? (
        <When date={until} day />
      ) : (
        <span className="text-muted">
          <Trans>active</Trans>
        </span>
      ),
  },
]

/** All present and former operators. */
export function OperatorTable({ operators }: { operators: PublishedOperator[] }) {
  return <Table columns={columns} rows={operators} keyOf={({ handle }) => handle} live className="mt-6" />
}
