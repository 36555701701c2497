import { Trans } from '@lingui/react/macro'

/** The first note for someone who gives to a goal, below the title: the wallet belongs to a member. */
export function MemberWalletNote() {
  return (
    <p className="notice mt-5 max-w-none border-2 border-ink font-semibold">
      <Trans>
        This wallet belongs to a member, not to us. A gift is final: no one can stop it, return it or refund
        it.
      </Trans>
    </p>
  )
}
