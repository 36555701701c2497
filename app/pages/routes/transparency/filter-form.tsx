import { Trans, useLingui } from '@lingui/react/macro'
import { accounts } from '~/ledger/accounts'
import { type LedgerFilter, notChecked, withoutPool } from '~/ledger/filter'
import { statuses, statusWords } from '~/ledger/statuses'
import { ownTypes, transactionTypes } from '~/ledger/transaction-types'
import { Control } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import { isGoalSlug } from '~/platform/goal-slug'
import { impactPools } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { useFundMeOpen } from '~/platform/rendering/fundme-open'

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
  const goals = useFundMeOpen()
  const inUse = Object.keys(filter).length
  return (
    <details open={ignored.length > 0}>
      <summary className="link py-2">
        {inUse > 0 ? <Trans>Search and filter ({inUse} in use)</Trans> : <Trans>Search and filter</Trans>}
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
            <button type="submit" className="button button-ink">
              <Trans>Show</Trans>
            </button>
          </div>
          <div className="mt-3 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
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
