import { PoolFigures } from '~/ledger/pool-card'
import type { PoolWithTotals } from '~/ledger/totals.server'
import { DonateButton } from '~/ui/donate-button'

/** The first section of a pool's page: its figures, how to give to it, and what it is for. */
export function PoolDetails({ pool }: { pool: PoolWithTotals }) {
  return (
    <div className="max-w-[65ch]">
      <PoolFigures pool={pool} />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <DonateButton to={pool.slug}>Donate to this pool</DonateButton>
        <span className="text-muted">Category:</span>
        <span className="badge badge-line" data-hue={pool.slug}>
          <span className="swatch hue-fill" />
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
    </div>
  )
}
