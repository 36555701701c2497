import * as z from 'zod/mini'
import { timestampColumn } from '../../platform/server/columns.server'
import type { Data } from '../../platform/server/data.server'
import { checksumAddress } from '../../wallet/address'
import type { Site } from '../../wallet/message.server'
import { isValidProof } from '../../wallet/proof.server'

/** Maximum number of wallets of one member. The database enforces the same maximum. */
const maxProvenWallets = 10
/**
 * The SQLSTATE codes for a row that already exists and for a row beyond the maximum. A violation of any check
 * has the second code, but the site sends no row that violates any other check.
 */
const [duplicate, beyondBound] = ['23505', '23514']

const walletRow = z.object({
  address: z.string(),
  message: z.string(),
  signature: z.templateLiteral(['0x', z.string()]),
  provenAt: timestampColumn,
})
/** A proven wallet of a member, with the message and the signature of the proof. */
export type ProvenWallet = z.infer<typeof walletRow>

/** A data API client with the member's session. */
interface Access {
  site: Site
  data: Data
  memberId: string
}

/**
 * The member's proven wallets, oldest first; null if they cannot be read. Members write these rows through
 * the data API, so each read verifies each row. A row that is not a valid proof is omitted, and the number of
 * such rows is logged.
 */
export async function listProvenWallets(access: Access): Promise<ProvenWallet[] | null> {
  return (await readProofs(access))?.valid.map(withChecksum) ?? null
}

/**
 * Stores a wallet whose message and signature were verified. Returns null on success, or if the wallet was already
 * stored; 'many' if the member has the maximum number of wallets; 'unsaved' if the data API failed.
 */
export async function addProvenWallet(
  access: Access,
  { address, message, signature }: Record<'address' | 'message' | 'signature', string>,
): Promise<'many' | 'unsaved' | null> {
  const { data, memberId } = access
  const proofs = await readProofs(access)
  if (!proofs) return 'unsaved'
  const { valid, invalid } = proofs
  const added = address.toLowerCase()
  if (valid.some((proof) => proof.address === added)) return null
  if (valid.length >= maxProvenWallets) return 'many'
  // The database counts invalid rows too, maybe of the new address: revoke those that prevent it.
  const isFull = valid.length + invalid.length >= maxProvenWallets
  for (const { address } of invalid)
    if ((isFull || address === added) && !(await revokeProvenWallet(access, address))) return 'unsaved'
  const { error, status } = await data.api
    .from('proven_wallets')
    .insert({ user_id: memberId, address: added, message, signature: signature.toLowerCase() })
  if (!error || error.code === duplicate) return null
  if (error.code === beyondBound) return 'many'
  data.log.error('proven-wallets.not-saved', { code: error.code, status })
  return 'unsaved'
}

/** Revokes the proof of a wallet. Returns false if the data API failed. */
export async function revokeProvenWallet({ data, memberId }: Access, address: string): Promise<boolean> {
  const { error, status } = await data.api
    .from('proven_wallets')
    .delete()
    .eq('user_id', memberId)
    .eq('address', address.toLowerCase())
  if (error) data.log.error('proven-wallets.not-revoked', { code: error.code, status })
  return !error
}

async function readProofs(
  access: Access,
): Promise<{ valid: ProvenWallet[]; invalid: ProvenWallet[] } | null> {
  const { data, memberId } = access
  const rows = await data.rows('proven_wallets', walletRow, (query) =>
    query.eq('user_id', memberId).order('proven_at').order('address').limit(maxProvenWallets),
  )
  if (!rows) return null
  const verdicts = await Promise.all(rows.map((proof) => isValidProof(access.site, access.memberId, proof)))
  const valid = rows.filter((_, index) => verdicts[index])
  const invalid = rows.filter((_, index) => !verdicts[index])
  if (invalid.length > 0) data.log.warn('proven-wallets.not-verified', { count: invalid.length })
  return { valid, invalid }
}

/** Returns the wallet with the EIP-55 checksum in its address. */
function withChecksum(wallet: ProvenWallet): ProvenWallet {
  return { ...wallet, address: checksumAddress(wallet.address) }
}
