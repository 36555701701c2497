import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { key } from '../platform/locales/key'
import { Gap, useLanguage } from '../platform/locales/react'
import type { Config } from '../platform/server/env.server'
import { accountName } from './accounts'

export type FormerWallet = Config['FORMER_WALLETS'][number]

const reasons: Record<FormerWallet['reason'], MessageDescriptor> = {
  lost: msg`We lost its key. No one can move the money in it any more.`,
  stolen: msg`Someone stole its key. Anything you send there goes to the thief.`,
  replaced: msg`We replaced it with a new wallet.`,
}

/** Warns of each wallet that is no longer ours (FORMER_WALLETS): the ledger adds none of its payments. */
export function FormerWallets({ wallets }: { wallets: FormerWallet[] }) {
  const { i18n, formats } = useLanguage()
  if (wallets.length === 0) return null
  return (
    <section className="panel mt-6 max-w-[65ch]" aria-labelledby="former-wallets">
      <h3 id="former-wallets" className="text-xl">
        <Trans>Don't send anything to these old wallets</Trans>
      </h3>
      <ul className="mt-3 grid gap-4">
        {wallets.map(({ account, address, day, reason }) => {
          const name = i18n._(key(accountName(account) ?? account))
          const date = formats.day(new Date(day))
          return (
            <li key={address}>
              <p>
                <Trans>
                  <strong>{name}</strong>, until <time dateTime={day}>{date}</time>.
                </Trans>
                <Gap />
                {i18n._(reasons[reason])}
              </p>
              <p className="hash wrap-anywhere text-muted">{address}</p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
