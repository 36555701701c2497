import * as z from 'zod/mini'
import type { Data } from '../platform/server/data.server'

const textRow = z.object({ hash: z.string(), reason: z.nullable(z.string()) })

/**
 * The public reasons why texts were withdrawn, keyed by the hash of the text. Makes no call if no hashes are
 * given. Omits reasons that cannot be read: the page then says only that the text was withdrawn.
 */
export async function readWithdrawalReasons(
  data: Data,
  hashes: (string | null)[],
): Promise<Map<string | null, string>> {
  const wanted = hashes.filter((hash) => hash !== null)
  if (wanted.length === 0) return new Map()
  const rows = await data.rows('published_texts', textRow, (query) => query.in('hash', wanted))
  return new Map(rows?.flatMap(({ hash, reason }) => (reason ? [[hash, reason]] : [])))
}
