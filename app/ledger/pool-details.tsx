import { Icon } from '../ui/icon'
import { Downloads, ledgerFeeds } from './download-links'
import { PoolFigures } from './pool-card'
import type { PoolWithTotals } from './totals'

/** Everything there is to say about a pool. */
export function PoolDetails({ pool }: { pool: PoolWithTotals }) {
  return (
    <>
      <img
        src={pool.image}
        alt=""
        width="480"
        height="270"
        className="pool-image rounded-block sm:aspect-[2/1]"
      />
      <p className="mt-5 flex flex-wrap items-center gap-x-2 text-muted">
        Category:
        <span className="badge bg-gold-wash text-ink">
          <Icon name={pool.icon} size={16} />
          {pool.category}
        </span>
      </p>
      {pool.detailedDescription.map((paragraph) => (
        <p key={paragraph} className="mt-4 max-w-[65ch]">
          {paragraph}
        </p>
      ))}
      <PoolFigures pool={pool} />
      <p className="mt-5">
        <a href={`/donate?to=${pool.slug}`} className="button button-gold">
          Donate to this pool
        </a>
      </p>
      <p className="mt-5">
        <a href={`/transparency?pool=${pool.slug}#history`} className="link inline-block py-1">
          Every donation to this pool in the ledger
        </a>
      </p>
      <Downloads filter={{ pool: pool.slug }} feeds={ledgerFeeds(pool.title, { pool: pool.slug })} />
    </>
  )
}
