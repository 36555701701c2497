import * as z from 'zod/mini'
import { encodeHex, sha256 } from '../platform/bytes'
import { integerColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { writeSignedAnswer } from './signed-answer'
import type { Given } from './strengths'

const payableRow = z.object({
  id: integerColumn,
  chainId: integerColumn,
  txHash: z.string(),
  ordinal: integerColumn,
  toAddress: z.string(),
  type: z.string(),
  direction: z.string(),
  counterAccount: z.nullable(z.string()),
  status: z.string(),
})

/** The payment that a wallet can answer about: 'none' if no recipient of ours is asked about it, null if it cannot be read. */
export async function readPayable(data: Data, id: string | undefined) {
  if (!/^[1-9]\d{0,14}$/.test(id ?? '')) return 'none'
  const rows = await data.rows('published_transactions', payableRow, (query) => query.eq('id', Number(id)))
  if (!rows) return null
  const [row] = rows
  const isPaid = row?.direction === 'out' && row.counterAccount === null && row.status === 'verified'
  return row && isPaid && ['spending', 'donation', 'dream'].includes(row.type) ? row : 'none'
}
export type Payable = z.infer<typeof payableRow>

/** What a recipient typed. `salt`: of the words, 64 hex digits. */
export interface TypedAnswer {
  answer: Given
  words: string | null
  salt: string
  time: string
}

/** The text that the wallet signs. */
export async function textOf(row: Payable, { answer, words, salt, time }: TypedAnswer): Promise<string> {
  const octets = Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const salted = new Uint8Array([...octets, ...new TextEncoder().encode(words ?? '')])
  return writeSignedAnswer({
    payment: `${row.chainId}/${row.txHash}/${row.ordinal}`,
    ...{ row: row.id, wallet: row.toAddress, answer, time },
    wordsHash: words === null ? null : encodeHex(await sha256(salted)),
  })
}
