import { formatCount } from '../money'
import { When } from '../ui/when'
import { chainName } from './record'
import { lateAfter, type Scan } from './scan'

/**
 * The time of the last chain read, with a warning if that is too long ago. Script adds its age, and shows the warning
 * when an open page gets too old. `now` is null in the demonstration, which reads no chain.
 */
export function ScanAge({ scan, now }: { scan: Scan | null; now: number | null }) {
  if (!scan) return null
  const { chainId, blockNumber, blockTime, scannedAt } = scan
  return (
    <>
      <p className="figures mt-2 max-w-[75ch] text-muted">
        {chainName(chainId)} was last read on <When date={scannedAt} ageing={now !== null} />, up to block{' '}
        {formatCount(blockNumber)} of <When date={blockTime} />.
      </p>
      {now !== null && (
        <p className="notice" data-late={lateAfter / 1000} hidden={now - scannedAt.getTime() < lateAfter}>
          <strong>The chain has not been read for a while.</strong> It should be every minute. What you see is
          what was known then; newer transactions are missing here, and are not lost.
        </p>
      )}
    </>
  )
}
