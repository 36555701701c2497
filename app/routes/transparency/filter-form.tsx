import { Trans, useLingui } from '@lingui/react/macro'
import { Control } from '~/forms/control'
import { Field } from '~/forms/field'
import { isGoalSlug } from '~/goal-slug'
import { impactPools } from '~/impact-pools'
import { accounts } from '~/ledger/accounts'
import { filterSearch, type LedgerFilter, notChecked, withoutPool } from '~/ledger/filter'
import { statuses, statusWords } from '~/ledger/statuses'
import { ownTypes, transactionTypes } from '~/ledger/transaction-types'
import { key } from '~/locales/key'
import { PageLink, useLanguage } from '~/locales/react'
import { useFundMeOpen } from '~/rendering/fundme-open'

/** Filters the history. The form uses GET, so that a filtered page has its own URL. */
export function FilterForm({
  filter,
  searched,
  ignored,
}: {
  filter: LedgerFilter
  /** The entered search. */
  searched: string | undefined
  ignored: string[]
}) {
  const { t } = useLingui()
  const { i18n, href } = useLanguage()
  const { q: _q, ...choices } = filter
  const goals = useFundMeOpen()
  const inUse = Object.keys(choices).length
  return (
    <details open={filterSearch(filter) !== '' || ignored.length > 0}>
      <summary className="link py-2">
        <Trans>Search and filter</Trans>
      </summary>
      <form action={href('/transparency#history')} method="get" className="panel mt-2">
        <fieldset>
          <legend className="sr-only">
            <Trans>Filter transactions</Trans>
          </legend>
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
            <Field
              label={t`Search`}
              name="q"
              type="search"
              defaultValue={searched}
              placeholder={t`Hash, address or name`}
              dir="auto"
              autoComplete="off"
            />
            <p className="flex flex-wrap items-center gap-4">
              <button type="submit" className="button button-ink">
                <Trans>Show</Trans>
              </button>
              {filterSearch(filter) && (
                <PageLink to="/transparency#history" className="link inline-flex min-h-11 items-center">
                  <Trans>Clear</Trans>
                </PageLink>
              )}
            </p>
          </div>
          <details className="mt-3">
            <summary className="link py-2">
              {inUse > 0 ? <Trans>More filters ({inUse} in use)</Trans> : <Trans>More filters</Trans>}
            </summary>
            <div className="mt-2 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
              <Choice
                name="type"
                label={t`Type`}
                all={t`All types`}
                value={filter.type}
                options={Object.entries(goals ? transactionTypes : ownTypes).map(([type, name]) => [
                  type,
                  i18n._(key(name)),
                ])}
              />
              <Choice
                name="status"
                label={t`Status`}
                all={t`All statuses`}
                value={filter.status}
                options={[
                  ...statuses.map((status): [string, string] => [status, i18n._(key(statusWords[status]))]),
                  [notChecked, t`Not counted`],
                ]}
              />
              <Choice
                name="direction"
                label={t`Direction`}
                all={t`In and out`}
                value={filter.direction}
                options={[
                  ['in', t({ message: 'In', context: 'direction of money' })],
                  ['out', t({ message: 'Out', context: 'direction of money' })],
                ]}
              />
              <Choice
                name="wallet"
                label={t`Wallet`}
                all={t`All wallets`}
                value={filter.wallet}
                options={accounts.map(({ slug, name }) => [slug, i18n._(key(name))])}
              />
              <Choice
                name="pool"
                label={t`Pool`}
                all={t`All pools`}
                value={filter.pool}
                options={[
                  ...impactPools.map(({ slug, title }): [string, string] => [slug, i18n._(key(title))]),
                  ...(isGoalSlug(filter.pool) ? [[filter.pool, filter.pool] as [string, string]] : []),
                  [withoutPool, t`No pool`],
                ]}
              />
              <Field label={t`From (UTC)`} name="from" type="date" defaultValue={filter.from} />
              <Field label={t`To (UTC)`} name="to" type="date" defaultValue={filter.to} />
            </div>
          </details>
        </fieldset>
        {ignored.map((sentence) => (
          <p key={sentence} className="mt-3 text-bad">
            {sentence}
          </p>
        ))}
      </form>
    </details>
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
    <Control name={name} label={label} defaultValue={value}>
      {(attributes) => (
        <select {...attributes} className="field">
          <option value="">{all}</option>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Control>
  )
}
