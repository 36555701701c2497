import { Icon } from '../ui/icon'
import { Downloads, ledgerFeeds } from './download-links'
import { PoolFigures } from './pool-card'
import type { PoolWithTotals } from './totals'

/** A pool's figures, then what it is for, then how to give to it and where its rows are. */
export function PoolDetails({ pool }: { pool: PoolWithTotals }) {
  return (
    <div className="max-w-[65ch]">
      <PoolFigures pool={pool} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <a href={`/donate?to=${pool.slug}`} className="button button-gold">
          Donate to this pool
        </a>
        <span className="text-muted">Category:</span>
        <span className="badge bg-gold-wash text-ink">
          <Icon name={pool.icon} size={16} />
          {pool.category}
        </span>
      </p>
      {pool.detailedDescription.map((paragraph) => (
        <p key={paragraph} className="mt-4">
          {paragraph}
        </p>
      ))}
      <img
        src={pool.image}
        alt=""
        width="480"
        height="270"
        loading="lazy"
        className="pool-image mt-5 rounded-block sm:aspect-[2/1]"
      />
      <p className="mt-5">
        <a href={`/transparency?pool=${pool.slug}#history`} className="link inline-block py-1">
          Every donation to this pool in the ledger
        </a>
      </p>
      <Downloads filter={{ pool: pool.slug }} feeds={ledgerFeeds(pool.title, { pool: pool.slug })} />
    </div>
  )
}
