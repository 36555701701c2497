import { chainName } from '~/ledger/record'
import { formatCount } from '~/money'
import { When } from '~/ui/when'
import type { Scan } from './scan.server'

/** The chain is read every minute. Pages warn if the last read is older than this, in milliseconds. */
const lateAfter = 15 * 60_000

/**
 * The time at which the chain was last read, with a warning if its age is at least `lateAfter`. A script adds the age,
 * and shows the warning if that age is reached on an open page. `now` is null in the demonstration, which reads no
 * chain.
 */
export function ScanAge({ scan, now }: { scan: Scan | null; now: number | null }) {
  if (!scan) return null
  const { chainId, blockNumber, scannedAt } = scan
  return (
    <>
      <p className="figures mt-2 max-w-[75ch] text-muted">
        Last checked {chainName(chainId)}: <When date={scannedAt} ageing={now !== null} /> (block{' '}
        {formatCount(blockNumber)}).
      </p>
      {now !== null && (
        <p className="notice" data-late={lateAfter / 1000} hidden={now - scannedAt.getTime() < lateAfter}>
          <strong>This page is behind.</strong> We normally check the blockchain every minute. Newer payments
          are safe and will show up once we catch up.
        </p>
      )}
    </>
  )
}
