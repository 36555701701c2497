import type { PoolPage } from '~/fundme/pools.server'
import { formatDollars } from '~/money'

/** A page of the member's FundMe pools, each with its status and progress. */
export function PoolList({ list: { pools, page, hasNext } }: { list: PoolPage }) {
  if (pools.length === 0 && page === 1) {
    return (
      <div className="grid justify-items-center gap-4 py-8 text-center">
        <img src="/drawings/empty-pools.svg" alt="" width="240" height="120" />
        <p>You haven't created any FundMe pools yet.</p>
        <a href="/giveback" className="button" aria-describedby="creating-closed">
          Create Your First Pool
        </a>
      </div>
    )
  }
  return (
    <>
      <p id="details-closed" className="mt-3 text-sm text-muted">
        View Details will work once FundMe opens.
      </p>
      <ul className="mt-2 divide-y divide-hairline">
        {pools.map((pool) => (
          <li key={pool.id} className="grid gap-3 py-6 last:pb-0">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <h3 className="min-w-0 text-xl wrap-anywhere">{pool.title}</h3>
              <StatusBadge status={pool.status} />
            </div>
            {pool.description && <p className="max-w-[65ch] text-muted wrap-anywhere">{pool.description}</p>}
            <Progress current={pool.currentAmount} goal={pool.goalAmount} />
            <div>
              {/* Not `disabled`, so that the keyboard reaches the button and a screen reader reads the reason. */}
              <button type="button" className="button" aria-disabled="true" aria-describedby="details-closed">
                View Details
              </button>
            </div>
          </li>
        ))}
      </ul>
      {(page > 1 || hasNext) && (
        <nav aria-label="Pages of pools" className="mt-6 flex flex-wrap gap-3 border-t border-hairline pt-5">
          {page > 1 && (
            <a href={`/dashboard?page=${page - 1}#pools-title`} className="button">
              Newer
            </a>
          )}
          {hasNext && (
            <a href={`/dashboard?page=${page + 1}#pools-title`} className="button">
              Older
            </a>
          )}
        </nav>
      )}
    </>
  )
}

const tones: Record<string, string> = {
  active: 'bg-good-wash text-good',
  completed: 'bg-done-wash text-done',
}

/** Green for active, blue for completed, grey for anything else (spec §4). */
function StatusBadge({ status }: { status: string }) {
  const tone = Object.hasOwn(tones, status) ? tones[status] : 'bg-plain-wash text-muted'
  return <span className={`badge ${tone}`}>{status || 'unknown'}</span>
}

function Progress({ current, goal }: { current: number; goal: number | null }) {
  const amounts = `${formatDollars(current)} / ${goal === null ? '∞' : formatDollars(goal)}`
  return (
    <div className="grid gap-1.5">
      <p className="figures flex flex-wrap justify-between gap-x-4">
        <span className="text-muted">Progress</span>
        <span className="font-semibold">{amounts}</span>
      </p>
      {goal !== null && goal > 0 && (
        <progress
          className="progress"
          max={goal}
          value={Math.min(Math.max(current, 0), goal)}
          aria-label="Progress"
        >
          {amounts}
        </progress>
      )}
    </div>
  )
}
