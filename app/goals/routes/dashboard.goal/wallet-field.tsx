import { Trans, useLingui } from '@lingui/react/macro'
import { FieldFault } from '~/platform/forms/control'
import type { FieldState } from '~/platform/forms/refusal'

/** The choice among the member's proven wallets, with a link to prove another wallet. */
export function WalletField({
  wallets,
  isProvenNow,
  defaultValue: value = '',
  error,
  note,
  isFirst,
}: FieldState & {
  /** Null if the wallets cannot be read. */
  wallets: string[] | null
  /** Whether the member has just proven the chosen wallet. */
  isProvenNow: boolean
  note: string | undefined
}) {
  const { t } = useLingui()
  // The proof of the chosen wallet may have been revoked.
  const chosen = value.toLowerCase()
  const others = (wallets ?? []).some((wallet) => wallet.toLowerCase() === chosen) || !chosen ? [] : [value]
  const shown = [...(wallets ?? []), ...others]
  const fault = error ?? note
  return (
    <fieldset
      id="wallet"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the first wrong field of a refused form takes the focus
      autoFocus={isFirst}
      aria-describedby={fault ? 'wallet-why wallet-fault' : 'wallet-why'}
      className="grid gap-3 rounded-block border border-hairline p-5"
    >
      <legend className="px-1 font-semibold">
        <Trans>Wallet</Trans>
      </legend>
      <p id="wallet-why" className="text-muted">
        <Trans>
          It must be new: a wallet that was never used. Everything that arrives there counts for this goal,
          and everyone can read it.
        </Trans>
      </p>
      {isProvenNow && (
        <p className="font-semibold">
          <Trans>This wallet is yours. It is chosen for your goal: now save the form.</Trans>
        </p>
      )}
      {shown.map((wallet) => (
        <label key={wallet} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="wallet"
            value={wallet.toLowerCase()}
            defaultChecked={wallet.toLowerCase() === chosen}
            className="size-5 shrink-0"
          />
          <bdi className="hash min-w-0 wrap-anywhere">{wallet}</bdi>
        </label>
      ))}
      {wallets === null && (
        <p className="text-muted">
          <Trans>We can't load your wallets right now. Your choice stays as it is.</Trans>
        </p>
      )}
      {wallets?.length === 0 && (
        <p>
          <Trans>You haven't proven a wallet yet.</Trans>
        </p>
      )}
      <FieldFault id="wallet-fault">{fault}</FieldFault>
      <p className="flex flex-wrap items-center gap-3">
        <button type="submit" name="next" value="wallets" className="button">
          {shown.length > 0 || wallets === null ? t`Prove another wallet` : t`Prove a wallet`}
        </button>
        <noscript>
          <button type="submit" name="next" value="by-hand" className="button">
            <Trans>Prove a wallet by hand</Trans>
          </button>
        </noscript>
        <span className="text-sm text-muted">
          <Trans>Saves this form first.</Trans>
        </span>
      </p>
    </fieldset>
  )
}
