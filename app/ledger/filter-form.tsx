import { Field } from '../forms/field'
import { impactPools } from '../impact-pools'
import { filterSearch, type LedgerFilter, transactionTypes } from './filter'

/** Asks the ledger by type, pool and days. The answer has an address, so it can be kept and sent on. */
export function FilterForm({ filter, ignored }: { filter: LedgerFilter; ignored: string[] }) {
  return (
    <form action="/transparency#history" method="get" className="filters panel mt-6">
      <fieldset className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1.4fr_1fr_1fr_auto]">
        <legend className="sr-only">Filter the history</legend>
        <Choice
          name="type"
          label="Type"
          all="All types"
          value={filter.type}
          options={Object.entries(transactionTypes)}
        />
        <Choice
          name="pool"
          label="Pool"
          all="All pools and causes"
          value={filter.pool}
          options={impactPools.map(({ slug, title }) => [slug, title])}
        />
        <Field label="First day (UTC)" name="from" type="date" defaultValue={filter.from} />
        <Field label="Last day (UTC)" name="to" type="date" defaultValue={filter.to} />
        <div className="flex flex-wrap items-center gap-4">
          <button type="submit" className="button button-gold">
            Show
          </button>
          {filterSearch(filter) && (
            <a href="/transparency#history" className="link inline-flex min-h-11 items-center">
              Clear
            </a>
          )}
        </div>
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
