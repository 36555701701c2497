import { Hash } from '~/ledger/hash'
import { plural } from '~/plural'
import { When } from '~/ui/when'
import type { Scan } from './scan.server'

/** How many transactions could not be read, with links of the newest. Nothing if all were read. */
export function UnreadTransactions({ scan }: { scan: Scan | null }) {
  if (!scan?.unreadCount) return null
  const { unreadCount, unread } = scan
  return (
    <div className="notice mt-2 max-w-[65ch]">
      <p>
        <strong>
          We couldn't read {plural(unreadCount, { one: '# transaction', other: '# transactions' })}.
        </strong>{' '}
        No blockchain service that we use delivers {unreadCount === 1 ? 'it' : 'them'}, so payments in{' '}
        {unreadCount === 1 ? 'it' : 'them'} are missing from this ledger. We try again at least once a day.
        {unreadCount > unread.length && ` The newest ${unread.length}:`}
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
