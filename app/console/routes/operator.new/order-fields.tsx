import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AccountName } from '~/payments/order-words'
import { BalanceWords, PaidWords } from '~/payments/payee-words'
import type { Balance, Payee } from '~/payments/payees.server'
import { FieldFault } from '~/platform/forms/control'
import type { FieldState } from '~/platform/forms/refusal'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { EnglishWords } from '~/platform/ui/words'

/** The wallets that can pay an order. `query`: what the form keeps of its address. */
export function WalletList({ balances, query }: { balances: Balance[]; query: string }) {
  return (
    <>
      <h2 className="mt-6 text-xl">
        <Trans>From which wallet?</Trans>
      </h2>
      <ul className="mt-2 max-w-2xl">
        {balances.map((balance) => (
          <li key={balance.account} className="border-t border-hairline py-3">
            <a href={`?from=${balance.account}${query}`} className="link font-semibold">
              <AccountName slug={balance.account} />
            </a>
            <p className="text-muted">
              <BalanceWords balance={balance} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The recipients, those first that the wallet paid last. One that the link or the draft names need not be known. */
export function PayeeField({
  payees,
  label,
  state: { defaultValue: chosen, error },
}: {
  payees: Payee[]
  label: string
  state: FieldState
}) {
  const { i18n } = useLanguage()
  const never = payees.filter(({ times }) => times === 0)
  const radioOf = (payee: Payee) => (
    <Radio key={payee.address} address={payee.address} chosen={chosen}>
      {payee.kind === 'pool' ? i18n._(key(payee.name)) : <EnglishWords>{payee.name}</EnglishWords>}
      {payee.last && (
        <span className="block text-sm text-muted">
          <PaidWords payee={payee} />
        </span>
      )}
    </Radio>
  )
  return (
    <fieldset aria-describedby={error && 'to-error'}>
      <legend className="font-semibold">{label}</legend>
      {chosen && !payees.some(({ address }) => address === chosen) && (
        <Radio address={chosen} chosen={chosen}>
          <span className="hash">{chosen}</span>
        </Radio>
      )}
      {payees.filter(({ times }) => times > 0).map(radioOf)}
      {never.length > 0 && (
        <details
          open={
            never.length === payees.length || never.some(({ address }) => address === chosen) || undefined
          }
        >
          <summary className="link w-fit py-2">
            <Trans>Never paid by this wallet</Trans>
          </summary>
          {never.map(radioOf)}
        </details>
      )}
      <FieldFault id="to-error">{error}</FieldFault>
      <a href="/operator/new/name" className="link inline-block py-1 text-sm">
        <Trans>Name another wallet first</Trans>
      </a>
    </fieldset>
  )
}

function Radio({
  address,
  chosen,
  children,
}: {
  address: string
  chosen: string | undefined
  children: ReactNode
}) {
  return (
    <label className="flex min-h-11 items-center gap-3 py-1">
      <input
        type="radio"
        name="to"
        value={address}
        defaultChecked={address === chosen}
        required
        className="size-5 shrink-0"
      />
      <span className="wrap-anywhere">{children}</span>
    </label>
  )
}
