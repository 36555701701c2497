import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import type { Text } from '../platform/locales/i18n'
import { prove, requestKey } from '../platform/request-key.ts'
import { integerColumn } from '../platform/server/columns.server'
import { checksumAddress } from '../wallet/address'
import { plainSignature, signerOf } from '../wallet/signature.server.ts'
import { type KeyProof, readKeyProof, writeKeyProof } from './key-proof'

/** Why a text was not kept. `isOther`: the page shows the text of today again. */
export interface Refusal {
  status: number
  sentence: Text
  isOther?: true
}

const notAsked: Refusal = {
  status: 400,
  sentence: msg`This isn't the text of today that we asked for. Please sign the text below.`,
  isOther: true,
}
const refusals: Record<string, Refusal> = {
  day: notAsked,
  owner: { status: 400, sentence: msg`This key can't sign for this wallet now, so nothing was counted.` },
  unknown: {
    status: 400,
    sentence: msg`This contract is not known to us, so we can't say whose signature counts.`,
  },
  unread: {
    status: 503,
    sentence: msg`We couldn't read on the blockchain for two hours whose keys these are. Please try again later.`,
  },
  twice: {
    status: 400,
    sentence: msg`This key signed for this wallet today already. Nothing was counted twice.`,
  },
}
const unavailable: Refusal = {
  status: 503,
  sentence: msg`We can't store this right now. Your signature stays valid: please send it again in a moment.`,
}

const newestRow = z.object({ index: integerColumn, leaf: z.string() })

/** The text that a key of a wallet may sign today; null if the log is empty or cannot be read. */
export async function textOfToday(
  { config, publicData }: AppLoadContext,
  { wallet, signer }: { wallet: string; signer: string },
): Promise<string | null> {
  const rows = await publicData().rows('published_entries', newestRow, (query) =>
    query.eq('log', 'ledger').order('index', { ascending: false }).limit(1),
  )
  if (!rows?.[0]) return null
  const { index: entry, leaf } = rows[0]
  const date = new Date().toISOString().slice(0, 10)
  return writeKeyProof({ ...placeOf(config), wallet, signer, date, entry, leaf })
}

const placeOf = ({ SITE_URL, CHAIN_ID }: AppLoadContext['config']) => ({
  site: new URL(SITE_URL).host,
  chainId: CHAIN_ID,
})

/**
 * Verifies a text that a visitor typed with its signature, and keeps it. Returns null if it was kept. Only the site can keep
 * one: its request to the database carries a proof, because the database cannot verify signatures of wallets.
 */
export async function keepKeyProof(
  context: AppLoadContext,
  wallet: string,
  typed: { text: string; signature: string },
): Promise<Refusal | null> {
  const proof = readKeyProof(typed.text)
  if (!proof || proof.wallet !== wallet) return notAsked
  const { site, chainId } = placeOf(context.config)
  if (proof.site !== site || proof.chainId !== chainId) return notAsked
  const signature = plainSignature(typed.signature)
  if (!/^0x[0-9a-fA-F]{130}$/.test(typed.signature))
    return { status: 400, sentence: msg`A signature starts with 0x and has 132 characters.` }
  const signer = signature && (await signerOf(typed.text, signature))
  if (!signer)
    return {
      status: 400,
      sentence: msg`This isn't the signature of a wallet with a key. Please copy it again.`,
    }
  const other = checksumAddress(signer)
  if (signer !== proof.signer)
    return { status: 400, sentence: msg`This signature was made by another wallet: ${other}.` }
  const answer = await keep(context, proof, signature)
  return answer === 'signed' ? null : (refusals[answer ?? ''] ?? unavailable)
}

async function keep(
  { config, publicData }: AppLoadContext,
  { chainId, ...proof }: KeyProof,
  signature: string,
): Promise<string | null> {
  const signed = JSON.stringify({ chain_id: chainId, ...proof, signature })
  const key = await requestKey(config.SUPABASE_SECRET_KEY ?? '')
  return publicData().call('keep_custody', z.string(), {
    signed,
    proof: await prove(key, `custody\n${signed}`),
  })
}
