import { createHash } from 'node:crypto'
import { requestKey } from './followers.ts'

/** An answer of a wallet, as the site signs the call of answer_by_wallet. The signature of the wallet is not one. */
export function signedCall(row: number, answer: string, at: Date, changes: Record<string, unknown> = {}) {
  const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
  const values = {
    ...{
      of_row: row,
      answer,
      words: 'They shine.',
      salt: sha256(`${at.getTime()} ${answer}`).toString('hex'),
    },
    signed_at: at.toISOString().replace(/\.\d+Z/, 'Z'),
    ...{ signature: `0x${'1'.repeat(128)}1b`, asked_at: Math.floor(Date.now() / 1000), ...changes },
  }
  const text = sha256(
    Object.values(values)
      .filter((value) => value !== null)
      .join('\n'),
  )
  return { ...values, proof: sha256(Buffer.concat([Buffer.from(requestKey, 'hex'), text])).toString('hex') }
}
