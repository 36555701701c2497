import { Caption } from '~/ledger/caption'
import { ShownPicture } from '~/ledger/shown-picture'
import type { PoolUpdate } from '~/ledger/updates.server'
import type { ImpactPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { useLangOfEnglish } from '~/platform/ui/words'
import { Pictures, UpdateText } from './pool-updates'

/**
 * The newest picture with its sentence. Before the first picture, a drawing of the place with the pool's
 * purpose.
 */
export function PoolLead({
  pool,
  update,
}: {
  pool: ImpactPool
  /** The newest update with a picture. */
  update: PoolUpdate | undefined
}) {
  const { i18n } = useLanguage()
  const picture = update?.pictures[0] ?? { path: pool.image, alt: '', width: 480, height: 270 }
  return (
    <>
      <figure className="mt-4">
        <ShownPicture picture={picture} lang={useLangOfEnglish()} className="update-picture pool-picture" />
        {update && <Caption picture={picture} />}
      </figure>
      {update ? (
        <article data-key={update.id} aria-labelledby="lead" className="mt-3">
          <UpdateText
            pool={pool}
            update={update}
            id="lead"
            className="font-display text-heading leading-tight font-bold"
          />
          <Pictures pictures={update.pictures.slice(1)} />
        </article>
      ) : (
        <p className="mt-3 font-display text-heading leading-tight font-bold">
          {i18n._(key(pool.description))}
        </p>
      )}
    </>
  )
}
