import { Trans, useLingui } from '@lingui/react/macro'
import { WholeHash } from '~/ledger/hash'
import { useLanguage } from '~/platform/locales/react'
import { checksumAddress } from '~/wallet/address'

/** The wallet of an open goal, our checks of the wallet, and the payments that count. */
export function GoalWallet({ wallet, tokens }: { wallet: string; tokens: string[] }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const counted = formats.words(tokens, 'and')
  return (
    <section aria-label={t`Its wallet`} className="mt-8 max-w-[65ch]">
      <h2 className="text-xl">
        <Trans>Its wallet</Trans>
      </h2>
      <div className="mt-2">
        <WholeHash value={checksumAddress(wallet)} kind="address" what={t`the address of this goal`} />
      </div>
      <p className="mt-2">
        <Trans>
          A member wrote this. We checked that the wallet is the member's. We did not check the story.
        </Trans>
      </p>
      {counted && (
        <p className="mt-2 text-muted">
          <Trans>We count {counted}. BNB and other tokens are not counted.</Trans>
        </p>
      )}
    </section>
  )
}
