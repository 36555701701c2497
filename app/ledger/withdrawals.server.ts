import * as z from 'zod'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'

const row = z.object({ hash: z.string(), reason: z.string().nullable() })

/**
 * The public reasons why texts were withdrawn, by the hash of the text. Makes no call without hashes. Reasons that
 * cannot be read are missing: the page then says only that the text was withdrawn.
 */
export async function readWithdrawalReasons(
  backend: Backend,
  hashes: (string | null)[],
  log: Log,
): Promise<Map<string | null, string>> {
  const wanted = hashes.filter((hash) => hash !== null)
  if (wanted.length === 0) return new Map()
  const query = backend.from('published_texts').select('hash, reason').in('hash', wanted)
  const rows = (await readRows(query, z.array(row), log, 'withdrawals.not-loaded')) ?? []
  return new Map(rows.flatMap(({ hash, reason }) => (reason ? [[hash, reason]] : [])))
}
