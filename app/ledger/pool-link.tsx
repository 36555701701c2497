import { findPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import { PageLink, useLanguage } from '../platform/locales/react'

/** A link to the page of a pool; for an account that is no pool, only the name. The default is the pool's title. */
export function PoolLink({ slug, name }: { slug: string | null; name?: string | null | undefined }) {
  const { i18n } = useLanguage()
  const pool = findPool(slug)
  if (!pool) return name ?? slug
  return (
    <PageLink to={`/voting/${pool.slug}`} className="link inline-block py-0.5">
      {name ?? i18n._(key(pool.title))}
    </PageLink>
  )
}
