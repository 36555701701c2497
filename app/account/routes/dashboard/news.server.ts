import { maxGifts } from '~/ledger/transactions'
import { sumTransactions, type Transaction } from '~/ledger/transactions.server'
import { listUpdates } from '~/ledger/updates.server'
import { findPool } from '~/platform/impact-pools'
import type { Data } from '~/platform/server/data.server'

/**
 * Each pool that received one of these donations: `update`, its newest one with the first picture or, without a
 * picture, the drawing of the pool; null if it is withdrawn or cannot be read. `gift`: the sum of the donations to the
 * pool, and what the pool spent from the day of the first one on; null unless all of them are verified and have a value.
 */
export async function listNews(data: Data, donations: readonly Transaction[]) {
  const pools = new Set(donations.flatMap(({ poolSlug }) => findPool(poolSlug) ?? []))
  const news = await Promise.all(
    [...pools].map(async ({ slug, image }) => {
      const own = donations.filter(({ poolSlug }) => poolSlug === slug)
      const since = own.at(-1)?.occurredAt ?? new Date()
      const [updates, spent] = await Promise.all([
        listUpdates(data.optional(), slug, 1),
        sumTransactions(data.optional(), { pool: slug, from: since.toISOString().slice(0, 10) }),
      ])
      const [update] = updates ?? []
      const spentUsd = spent?.sums?.paidUsd ?? null
      const isWhole =
        donations.length < maxGifts &&
        own.every((each) => each.status === 'verified' && each.amountUsd !== null)
      const { path, alt } = update?.pictures[0] ?? { path: image, alt: '' }
      return {
        slug,
        update:
          update && update.text !== null
            ? { text: update.text, publishedAt: update.publishedAt, picture: { path, alt } }
            : null,
        gift:
          isWhole && spentUsd !== null
            ? { usd: own.reduce((sum, each) => sum + (each.amountUsd ?? 0), 0), since, spentUsd }
            : null,
      }
    }),
  )
  return news
    .filter(({ update, gift }) => update ?? gift)
    .toSorted((one, other) => timeOf(other.update) - timeOf(one.update))
}

const timeOf = (update: { publishedAt: Date } | null) => update?.publishedAt.getTime() ?? 0
