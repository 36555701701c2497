import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import type { Text } from '../platform/locales/i18n'
import { prove, requestKey } from '../platform/request-key'
import { checksumAddress } from '../wallet/address'
import { plainSignature, signerOf } from '../wallet/signature.server'
import { type Payable, type TypedAnswer, textOf } from './payable.server'

/** Verifies the signature of an answer and stores it. Returns the token of its link, or why not; null if it can't be stored now. */
export async function handIn(
  { config, publicData }: AppLoadContext,
  row: Payable,
  typed: TypedAnswer,
  given: string,
): Promise<{ token: string } | { sentence: Text; status: number } | null> {
  const signature = plainSignature(given)
  const signer = signature && (await signerOf(await textOf(row, typed), signature))
  if (!signature || !signer)
    return {
      sentence: msg`This isn't the signature of a wallet with a key. Please copy it again.`,
      status: 400,
    }
  const other = checksumAddress(signer)
  if (signer !== row.toAddress)
    return {
      sentence: msg`This signature was made by another wallet: ${other}. If the wallet that was paid can't sign, ask us for a link by mail or on paper.`,
      status: 400,
    }
  const values = {
    ...{ of_row: row.id, answer: typed.answer, words: typed.words, salt: typed.salt, signed_at: typed.time },
    ...{ signature, asked_at: Math.floor(Date.now() / 1000) },
  }
  const signed = Object.values(values).filter((value) => value !== null)
  const proof = await prove(await requestKey(config.SUPABASE_SECRET_KEY ?? ''), signed.join('\n'))
  const stored = z.object({ outcome: z.enum(['stored', 'used', 'closed']), token: z.optional(z.string()) })
  const sent = await publicData().command('answer_by_wallet', stored, { ...values, proof })
  if (!('value' in sent))
    return sent.code === 'invalid_field'
      ? {
          sentence: msg`We can't store these words: leave out links, wallets and telephone numbers.`,
          status: 400,
        }
      : null
  const { outcome, token } = sent.value
  if (token) return { token }
  return outcome === 'used'
    ? { sentence: msg`This wallet answered already, with this text or a later one, or twice.`, status: 409 }
    : { sentence: msg`This payment was corrected meanwhile. Open its newest version.`, status: 409 }
}
