import type { Transaction } from '~/ledger/transactions.server'
import { listUpdates } from '~/ledger/updates.server'
import { findPool } from '~/platform/impact-pools'
import type { Data } from '~/platform/server/data.server'

/**
 * The newest update of each pool that received one of these donations, with its first picture or, without a
 * picture, the drawing of the pool. Leaves out withdrawn updates, and updates that cannot be read.
 */
export async function listNews(data: Data, donations: readonly Transaction[]) {
  const pools = new Set(donations.flatMap(({ poolSlug }) => findPool(poolSlug) ?? []))
  const news = await Promise.all(
    [...pools].map(async ({ slug, image }) => {
      const [update] = (await listUpdates(data.optional(), slug, 1)) ?? []
      if (!update || update.text === null) return []
      const { text, publishedAt, pictures } = update
      const { path, alt } = pictures[0] ?? { path: image, alt: '' }
      return [{ slug, text, publishedAt, picture: { path, alt } }]
    }),
  )
  return news.flat().toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
}
