import { Trans } from '@lingui/react/macro'

/** Said before a wallet is asked to sign: the signature of a contract wallet is refused (decision 037). */
export function ContractWallets() {
  return (
    <p className="text-sm text-muted">
      <Trans>Contract wallets, such as a Safe, can't be used here: they have no key that signs.</Trans>
    </p>
  )
}
