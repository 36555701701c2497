import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Form } from '@remix-run/react'
import { WalletButtons } from '~/members/auth/wallet-buttons'
import { SubmitButton } from '~/platform/forms/submit-button'
import { Gap } from '~/platform/locales/react'
import { provenWalletsPath } from '~/platform/server/redirect'
import { When } from '~/platform/ui/when'

const addWallet = (wallet: string) => msg`Add ${wallet}`

interface Props {
  wallets: { address: string; provenAt: Date }[]
  /** The wallet that the member signs in with: its proof lasts as long as the account. */
  signInWallet: string | null
  /** The text for a member who came from a goal's form, and the link back to that form. */
  forGoal: { sentence: string; to: string; back: string } | null
  byHand: { href: string; children: string }
}

/** The wallets that a member has proven, each with a button that revokes its proof, and a form for more. */
export function ProvenWalletList({ wallets, signInWallet, forGoal, byHand }: Props) {
  return (
    <div className="mt-6">
      <h3 id="wallets" className="text-xl">
        <Trans>Your wallets</Trans>
      </h3>
      {forGoal && (
        <p className="notice">
          {forGoal.sentence}
          <Gap />
          <a href={forGoal.to} className="link">
            {forGoal.back}
          </a>
        </p>
      )}
      <ul className="mt-2">
        {signInWallet && (
          <li className="border-b border-hairline py-3">
            <code className="hash wrap-anywhere">{signInWallet}</code>{' '}
            <span className="text-muted">
              <Trans>You sign in with it.</Trans>
            </span>
          </li>
        )}
        {wallets.map(({ address, provenAt }) => (
          <li
            key={address}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-hairline py-3"
          >
            <span className="min-w-0">
              <code className="hash wrap-anywhere">{address}</code>{' '}
              <span className="text-muted">
                <Trans>
                  Added <When date={provenAt} day />
                </Trans>
              </span>
            </span>
            <Form method="post" action={provenWalletsPath} reloadDocument>
              <input type="hidden" name="intent" value="revoke" />
              <input type="hidden" name="address" value={address} />
              <SubmitButton className="button" intent={address}>
                <Trans>
                  Remove<span className="sr-only"> {address}</span>
                </Trans>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          To add a wallet, open this page in your wallet's browser and sign one message. This is free and
          doesn't move any money. You can remove the wallet at any time.
        </Trans>
        <Gap />
        <a className="link" {...byHand} />
      </p>
      <WalletButtons action={provenWalletsPath} messagePath={provenWalletsPath} label={addWallet} />
    </div>
  )
}
