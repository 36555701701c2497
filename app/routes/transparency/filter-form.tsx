import { Field } from '~/forms/field'
import { impactPools } from '~/impact-pools'
import { accounts } from '~/ledger/accounts'
import { filterSearch, type LedgerFilter, notChecked, withoutPool } from '~/ledger/filter'
import { statuses, statusWords } from '~/ledger/statuses'
import { ownTypes } from '~/ledger/transaction-types'

/** Filters the history. It is a GET form, so that a filtered page has its own URL. */
export function FilterForm({
  filter,
  searched,
  ignored,
}: {
  filter: LedgerFilter
  /** The search as it was typed. */
  searched: string | undefined
  ignored: string[]
}) {
  const { q: _q, ...choices } = filter
  const inUse = Object.keys(choices).length
  return (
    <form action="/transparency#history" method="get" className="panel mt-6 [&_.field]:h-12">
      <fieldset>
        <legend className="sr-only">Filter transactions</legend>
        <div className="grid items-end gap-3 sm:grid-cols-[1fr_auto]">
          <Field
            label="Search"
            name="q"
            type="search"
            defaultValue={searched}
            placeholder="Hash, address or name"
            autoComplete="off"
          />
          <p className="flex flex-wrap items-center gap-4">
            <button type="submit" className="button button-ink">
              Show
            </button>
            {filterSearch(filter) && (
              <a href="/transparency#history" className="link inline-flex min-h-11 items-center">
                Clear
              </a>
            )}
          </p>
        </div>
        <details className="mt-3">
          <summary className="link py-2">More filters{inUse > 0 && ` (${inUse} in use)`}</summary>
          <div className="mt-2 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
            <Choice
              name="type"
              label="Type"
              all="All types"
              value={filter.type}
              options={Object.entries(ownTypes)}
            />
            <Choice
              name="status"
              label="Status"
              all="All statuses"
              value={filter.status}
              options={[
                ...statuses.map((status): [string, string] => [status, statusWords[status]]),
                [notChecked, 'Not checked'],
              ]}
            />
            <Choice
              name="direction"
              label="Direction"
              all="In and out"
              value={filter.direction}
              options={[
                ['in', 'In'],
                ['out', 'Out'],
              ]}
            />
            <Choice
              name="wallet"
              label="Wallet"
              all="All wallets"
              value={filter.wallet}
              options={accounts.map(({ slug, name }) => [slug, name])}
            />
            <Choice
              name="pool"
              label="Pool"
              all="All pools"
              value={filter.pool}
              options={[
                ...impactPools.map(({ slug, title }): [string, string] => [slug, title]),
                [withoutPool, 'No pool'],
              ]}
            />
            <Field label="From (UTC)" name="from" type="date" defaultValue={filter.from} />
            <Field label="To (UTC)" name="to" type="date" defaultValue={filter.to} />
          </div>
        </details>
      </fieldset>
      {ignored.map((sentence) => (
        <p key={sentence} className="mt-3 text-bad">
          {sentence}
        </p>
      ))}
    </form>
  )
}

function Choice({
  name,
  label,
  all,
  value = '',
  options,
}: {
  name: string
  label: string
  all: string
  value?: string | undefined
  options: [value: string, label: string][]
}) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {label}
      </label>
      <select id={name} name={name} defaultValue={value} className="field">
        <option value="">{all}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
