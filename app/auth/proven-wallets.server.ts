import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { checksumAddress } from '../wallet/address'
import { isProofMessage, type Site } from '../wallet/message.server'

/** Maximum number of wallets of one member. The database has the same bound. */
const maxProvenWallets = 10
/**
 * SQLSTATE of a row that exists already, and of a row beyond the bound. The second is the code of any check, but the
 * site sends no row that another check refuses.
 */
const [duplicate, beyondBound] = ['23505', '23514']

const row = z.object({
  address: z.string(),
  message: z.string(),
  signature: z.templateLiteral(['0x', z.string()]),
  proven_at: timestampColumn,
})
type Row = z.infer<typeof row>

/** A wallet that a member has proven to be theirs, with the message and the signature that prove it. */
export interface ProvenWallet {
  /** With the checksum of EIP-55. */
  address: string
  message: string
  signature: string
  provenAt: Date
}

/** The member's own access to their rows. */
interface Access {
  site: Site
  backend: Backend
  memberId: string
  log: Log
}

/**
 * The member's proven wallets, oldest first; null if they cannot be read. Members write the rows themselves, so each
 * row is verified at each read. Rows that are not valid proofs are left out, and their number is logged.
 */
export async function listProvenWallets(access: Access): Promise<ProvenWallet[] | null> {
  return (await readProofs(access))?.valid.map(toWallet) ?? null
}

/**
 * Stores a wallet whose message and signature were verified. Returns null if the wallet is stored, also if it already
 * was; 'many' if the member has the maximum number of wallets; 'unsaved' if the data API failed.
 */
export async function addProvenWallet(
  access: Access,
  { address, message, signature }: Omit<ProvenWallet, 'provenAt'>,
): Promise<'many' | 'unsaved' | null> {
  const { backend, memberId, log } = access
  const proofs = await readProofs(access)
  if (!proofs) return 'unsaved'
  const { valid, invalid } = proofs
  const added = address.toLowerCase()
  if (valid.some((proof) => proof.address === added)) return null
  if (valid.length >= maxProvenWallets) return 'many'
  // Invalid rows count towards the bound in the database, and one may have the new row's address: revoke those.
  const isFull = valid.length + invalid.length >= maxProvenWallets
  for (const { address } of invalid)
    if ((isFull || address === added) && !(await revokeProvenWallet(access, address))) return 'unsaved'
  const { error, status } = await backend
    .from('proven_wallets')
    .insert({ user_id: memberId, address: added, message, signature: signature.toLowerCase() })
  if (!error || error.code === duplicate) return null
  if (error.code === beyondBound) return 'many'
  log.error('proven-wallets.not-saved', { code: error.code, status })
  return 'unsaved'
}

/** Revokes the proof of a wallet. Returns false if the data API failed. */
export async function revokeProvenWallet(
  { backend, memberId, log }: Access,
  address: string,
): Promise<boolean> {
  const { error, status } = await backend
    .from('proven_wallets')
    .delete()
    .eq('user_id', memberId)
    .eq('address', address.toLowerCase())
  if (error) log.error('proven-wallets.not-revoked', { code: error.code, status })
  return !error
}

async function readProofs(access: Access): Promise<{ valid: Row[]; invalid: Row[] } | null> {
  const { backend, memberId, log } = access
  const query = backend
    .from('proven_wallets')
    .select('address, message, signature, proven_at')
    .eq('user_id', memberId)
    .order('proven_at')
    .order('address')
    .limit(maxProvenWallets)
  const rows = await readRows(query, z.array(row), log, 'proven-wallets.not-loaded')
  if (!rows) return null
  const verdicts = await Promise.all(rows.map((proof) => isValid(access, proof)))
  const valid = rows.filter((_, index) => verdicts[index])
  const invalid = rows.filter((_, index) => !verdicts[index])
  if (invalid.length > 0) log.warn('proven-wallets.not-verified', { count: invalid.length })
  return { valid, invalid }
}

async function isValid({ site, memberId }: Access, { address, message, signature, proven_at }: Row) {
  if (!isProofMessage(site, message, { memberId, address, at: proven_at.getTime() })) return false
  const { isSignedBy } = await import('../wallet/signature.server')
  return isSignedBy(address, message, signature)
}

function toWallet({ address, message, signature, proven_at }: Row): ProvenWallet {
  return { address: checksumAddress(address), message, signature, provenAt: proven_at }
}
