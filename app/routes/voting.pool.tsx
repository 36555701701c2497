import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { findPool } from '~/impact-pools'
import { ledgerFeeds } from '~/ledger/download-links'
import { PoolDetails } from '~/ledger/pool-details'
import { cached } from '~/rendering/cached'
import type { loader as votingLoader } from '~/routes/voting'
import { pageMeta } from '~/seo'
import { Dialog } from '~/ui/dialog'

export const handle = cached()

export const meta: MetaFunction<typeof loader> = (args) => {
  const pool = findPool(args.data?.slug)
  if (!pool) return []
  return pageMeta({
    title: pool.title,
    description: `${pool.description} A permanent impact pool: what it received, and the proof.`,
    path: `/voting/${pool.slug}`,
    feed: ledgerFeeds(pool.title, { pool: pool.slug }),
    image: pool.shareImage,
    imageAlt: `${pool.title}: an impact pool`,
  })(args)
}

/** Its figures come with the page that it stands on. */
export function loader({ params }: LoaderFunctionArgs) {
  const pool = findPool(params.pool)
  if (!pool) throw new Response(null, { status: 404, statusText: 'Not Found' })
  return { slug: pool.slug }
}

export default function ImpactPoolDetails() {
  const { slug } = useLoaderData<typeof loader>()
  const page = useRouteLoaderData<typeof votingLoader>('routes/voting')
  const pool = page?.pools.find((candidate) => candidate.slug === slug)
  return (
    pool && (
      <Dialog title={pool.title} closeTo={`/voting#${slug}`}>
        <PoolDetails pool={pool} />
      </Dialog>
    )
  )
}
