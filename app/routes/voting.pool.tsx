import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { findPool } from '~/impact-pools'
import { ledgerFeeds } from '~/ledger/download-links'
import { PoolDetails } from '~/ledger/pool-details'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { Detail } from '~/ui/detail'

export const handle = cached()

export const meta: MetaFunction<typeof loader> = (args) => {
  const pool = args.data?.pool
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

export async function loader({ params, context }: LoaderFunctionArgs) {
  if (!findPool(params.pool)) throw new Response(null, { status: 404, statusText: 'Not Found' })
  const pools = await listPoolsWithTotals(context.publicBackend(), context.log)
  const pool = pools.find(({ slug }) => slug === params.pool)
  if (!pool) throw new Response(null, { status: 404, statusText: 'Not Found' })
  return { pool }
}

export default function PoolPage() {
  const { pool } = useLoaderData<typeof loader>()
  return (
    <Detail title={pool.title} back={{ to: `/voting#${pool.slug}`, label: 'Impact Pools' }}>
      <PoolDetails pool={pool} />
    </Detail>
  )
}
