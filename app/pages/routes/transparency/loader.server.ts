import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readArrivalTotals } from '~/arrival/answers.server'
import { filterSearch, partyOf } from '~/ledger/filter'
import { flowOf } from '~/ledger/flow'
import { withGoals } from '~/ledger/goal-names.server'
import { readHolders } from '~/ledger/holders.server'
import { parsePosition } from '~/ledger/keyset.server'
import { listNames, readFilter } from '~/ledger/names.server'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { readScan } from '~/ledger/scan.server'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import {
  listGivenAndSpent,
  listTransactions,
  sumTransactions,
  sumUnchecked,
} from '~/ledger/transactions.server'
import { listWallets } from '~/ledger/wallets'
import { readStrip } from '~/payments/order-values.server'
import { key } from '~/platform/locales/key'
import { readClock } from '~/platform/server/clock.server'
import type { Data } from '~/platform/server/data.server'
import type { Config } from '~/platform/server/env.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, language } = context
  const { i18n } = language
  const { searchParams } = new URL(request.url)
  const data = context.publicData()
  const { filter, ignored: faults } = await readFilter(data, searchParams, config.FUNDME_OPEN, language)
  const ignored = faults.map(({ page, values }) => i18n._(key(page, values)))
  const { position, valid } = parsePosition(searchParams)
  if (!valid) ignored.push(i18n._(msg`That page doesn't exist. Here are the newest transactions.`))
  const filtered = filterSearch(filter) !== ''
  // A filter shows all rows that it matches.
  const isShort = !filtered && searchParams.get('rows') !== 'all'
  const rowsOfPage = async () => {
    const page = await (isShort
      ? listGivenAndSpent(data, position)
      : listTransactions(data, filter, position))
    return page && { ...page, rows: await withGoals(data, page.rows, config.FUNDME_OPEN), isShort }
  }
  const history = Promise.all([rowsOfPage(), sumTransactions(data, filter)])
  const [[rows, sum], names, overview] = await Promise.all([
    history,
    listNames(data, partyOf(filter)),
    filtered || position ? null : readOverview(data, config),
  ])
  return {
    overview,
    history: rows,
    sum,
    filter,
    names,
    searched: searchParams.get('q')?.trim(),
    ignored,
    filtered,
    paged: position !== null,
    now: config.DEMO ? null : readClock(config),
    wallets: listWallets(config),
    hasToken: config.TOKEN_ADDRESS !== undefined,
  }
}

/** The data above the history, which only the first page without a filter shows. */
async function readOverview(data: Data, config: Config) {
  const [totals, uncheckedUsd, pools, scan, reconciliations, holders, strip, arrival] = await Promise.all([
    readTotals(data),
    sumUnchecked(data),
    listPoolsWithTotals(data),
    readScan(data),
    listReconciliations(data),
    readHolders(data, config.TOKEN_ADDRESS, readClock(config)),
    readStrip(data, config),
    readArrivalTotals(data),
  ])
  return {
    totals,
    arrival,
    uncheckedUsd,
    holders,
    scan,
    flow: flowOf(totals, pools),
    reconciliations,
    ...strip,
  }
}
