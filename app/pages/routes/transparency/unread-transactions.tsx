import { Plural, Trans } from '@lingui/react/macro'
import { Hash } from '~/ledger/hash'
import type { Scan } from '~/ledger/scan.server'
import { Gap } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'

/**
 * The number of transactions that could not be read, with links to the newest ones. Renders nothing if all
 * were read.
 */
export function UnreadTransactions({ scan }: { scan: Scan | null }) {
  if (!scan?.unreadCount) return null
  const { unreadCount, unread } = scan
  const listed = unread.length
  return (
    <div className="notice mt-2 max-w-[65ch]">
      <p>
        <strong>
          <Trans>
            We couldn't read <Plural value={unreadCount} one="# transaction" other="# transactions" />.
          </Trans>
        </strong>
        <Gap />
        <Trans>
          <Plural
            value={unreadCount}
            one="No blockchain service that we use delivers it, so payments in it are missing from this ledger."
            other="No blockchain service that we use delivers them, so payments in them are missing from this ledger."
          />{' '}
          We try again at least once a day.
        </Trans>
        {unreadCount > listed && (
          <>
            <Gap />
            <Trans>The newest {listed}:</Trans>
          </>
        )}
      </p>
      <ul className="figures mt-2 flex flex-wrap gap-x-5 gap-y-1">
        {unread.map(({ txHash, blockTime }) => (
          <li key={txHash}>
            <Hash kind="tx" value={txHash} />{' '}
            <span className="text-muted">
              <When date={blockTime} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
