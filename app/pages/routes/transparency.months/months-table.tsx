import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { partOf } from '~/ledger/uses'
import type { Language } from '~/platform/locales/language'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { type Column, Table } from '~/platform/ui/table'
import { monthPath } from './month-bars'
import type { Month } from './months.server'

/** The figures of all months, newest first, with a column for each use of the money out. */
export function MonthsTable({ months, uses }: { months: Month[]; uses: string[] }) {
  const { t } = useLingui()
  return (
    <Table
      caption={t`US dollars by month, newest first. Each month links to its transactions.`}
      columns={columnsIn(useLanguage(), uses)}
      rows={[...months].reverse()}
      keyOf={({ start }) => start.getTime()}
      className="figures"
    />
  )
}

function columnsIn({ i18n, formats }: Language, uses: string[]): Column<Month>[] {
  return [
    {
      name: msg`Month`,
      cell: ({ start }) => (
        <PageLink to={monthPath(start)} className="link inline-block py-0.5">
          {formats.month(start)}
        </PageLink>
      ),
    },
    { name: msg`Money in`, cell: ({ receivedUsd }) => formats.dollars(receivedUsd) },
    { name: msg`Money out`, cell: ({ paidUsd }) => formats.dollars(paidUsd) },
    ...uses.map((use) => ({
      name: i18n._(partOf(use).name),
      cell: ({ uses }: Month) => formats.dollars(uses[use] ?? 0),
    })),
    { name: msg`Moved between our wallets`, cell: ({ movedUsd }) => formats.dollars(movedUsd) },
    {
      name: msg`In our wallets at month end`,
      className: 'font-semibold',
      cell: ({ heldUsd }) => formats.dollars(heldUsd),
    },
  ]
}
