import type { Config } from '../server/env.server'
import { formatDay } from '../time'
import { accountName } from './accounts'

export type FormerWallet = Config['FORMER_WALLETS'][number]

const reasons: Record<FormerWallet['reason'], string> = {
  lost: 'We lost its key. No one can move the money in it any more.',
  stolen: 'Someone stole its key. Anything you send there goes to the thief.',
  replaced: 'We replaced it with a new wallet.',
}

/** A warning for each wallet that is no longer ours (FORMER_WALLETS). The ledger has no new payments from or to it. */
export function FormerWallets({ wallets }: { wallets: FormerWallet[] }) {
  if (wallets.length === 0) return null
  return (
    <section className="panel mt-6 max-w-[65ch]" aria-labelledby="former-wallets">
      <h3 id="former-wallets" className="text-xl">
        Don't send anything to these old wallets
      </h3>
      <ul className="mt-3 grid gap-4">
        {wallets.map(({ account, address, day, reason }) => (
          <li key={address}>
            <p>
              <strong>{accountName(account) ?? account}</strong>, until{' '}
              <time dateTime={day}>{formatDay(new Date(day))}</time>. {reasons[reason]}
            </p>
            <p className="hash wrap-anywhere text-muted">{address}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
