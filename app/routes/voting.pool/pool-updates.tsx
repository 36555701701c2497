import type { ImpactPool } from '~/impact-pools'
import { SourceLink } from '~/ledger/source-link'
import { helpingWords } from '~/ledger/totals'
import { ListUnavailable } from '~/ledger/unavailable'
import { Withdrawn } from '~/ledger/withdrawn'
import { When } from '~/ui/when'
import type { PoolUpdate } from './updates.server'

/** The dated updates of a pool, newest first. The picture leads; without a picture, a drawing of the place. */
export function PoolUpdates({
  pool,
  updates,
  feed,
}: {
  pool: ImpactPool
  updates: PoolUpdate[] | null
  feed: string
}) {
  if (updates === null) return <ListUnavailable />
  if (updates.length === 0)
    return (
      <p className="mt-4 text-muted">
        No updates yet.{' '}
        <a href={feed} className="link inline-block py-0.5">
          Follow this pool's feed
        </a>{' '}
        to hear about its next payment.
      </p>
    )
  return (
    <div className="mt-4 grid gap-x-8 gap-y-10 border-t-2 border-ink pt-6 md:grid-cols-2 lg:grid-cols-3">
      {updates.map(({ id, publishedAt, text, textReason, pictures, links, helping, helpingSource }) => (
        <article key={id} data-key={id} aria-labelledby={`update-${id}`}>
          {pictures.length === 0 && (
            <img src={pool.image} alt="" width="480" height="270" loading="lazy" className="update-picture" />
          )}
          {pictures.map(({ path, width, height, alt }) => (
            <img
              key={path}
              src={path}
              alt={alt}
              width={width}
              height={height}
              loading="lazy"
              className="update-picture"
            />
          ))}
          <h3 id={`update-${id}`} className="mt-3 text-lg">
            <When date={publishedAt} day />
          </h3>
          <p className="mt-1 whitespace-pre-line wrap-anywhere">
            {text ?? <Withdrawn reason={textReason} />}
          </p>
          {helping !== null && (
            <p className="mt-1 text-muted">
              Helping {helpingWords(helping, pool)}
              <SourceLink url={helpingSource} />
            </p>
          )}
          {links.map((link) => (
            <p key={link}>
              <a href={link} className="link inline-block py-0.5 wrap-anywhere" rel="noopener nofollow">
                {link}
              </a>
            </p>
          ))}
        </article>
      ))}
    </div>
  )
}
