import type { ImpactPool } from '~/impact-pools'
import { SourceLink } from '~/ledger/source-link'
import { helpingWords } from '~/ledger/totals'
import { ListUnavailable } from '~/ledger/unavailable'
import { Withdrawn } from '~/ledger/withdrawn'
import { When } from '~/ui/when'
import type { PoolUpdate } from './updates.server'

/** The dated updates of a pool, newest first. They are plain text, pictures and links. */
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
    <div className="mt-4 border-t-2 border-ink">
      {updates.map(({ id, publishedAt, text, textReason, pictures, links, helping, helpingSource }) => (
        <article
          key={id}
          data-key={id}
          className="border-b border-hairline py-4"
          aria-labelledby={`update-${id}`}
        >
          <h3 id={`update-${id}`} className="text-lg">
            <When date={publishedAt} day />
          </h3>
          <p className="mt-1 max-w-[65ch] whitespace-pre-line wrap-anywhere">
            {text ?? <Withdrawn reason={textReason} />}
          </p>
          {helping !== null && (
            <p className="mt-1 text-muted">
              Helping {helpingWords(helping, pool)}
              <SourceLink url={helpingSource} />
            </p>
          )}
          {pictures.map(({ path, width, height, alt }) => (
            <img
              key={path}
              src={path}
              alt={alt}
              width={width}
              height={height}
              loading="lazy"
              className="mt-3 h-auto max-h-128 w-auto max-w-full rounded-block"
            />
          ))}
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
