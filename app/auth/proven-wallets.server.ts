import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod'
import { type Backend, createBackendAccess } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { checksumAddress } from '../wallet-address'

/** The most wallets of one member. */
export const maxProvenWallets = 10

const row = z.object({ address: z.string(), proven_at: timestampColumn })

/** A wallet that a member has proven to be theirs. */
export interface ProvenWallet {
  /** With the checksum of EIP-55. */
  address: string
  provenAt: Date
}

/** The member's proven wallets, oldest first; null if they cannot be read. */
export async function listProvenWallets(
  backend: Backend,
  memberId: string,
  log: Log,
): Promise<ProvenWallet[] | null> {
  const query = backend
    .from('proven_wallets')
    .select('address, proven_at')
    .eq('user_id', memberId)
    .order('proven_at')
    .order('address')
  const rows = await readRows(query, z.array(row), log, 'proven-wallets.not-loaded')
  return (
    rows?.map(({ address, proven_at }) => ({ address: checksumAddress(address), provenAt: proven_at })) ??
    null
  )
}

/**
 * Stores a wallet whose signature was verified. Only the secret key may write: members could claim any wallet
 * otherwise. Returns whether the wallet is stored now, also if it was before.
 */
export async function addProvenWallet(
  { runtime }: AppLoadContext,
  memberId: string,
  address: string,
): Promise<boolean> {
  const { config, execution, log } = runtime
  const key = config.SUPABASE_SECRET_KEY
  if (!key) return false
  const { fetch } = createBackendAccess(config, log, null, execution)
  try {
    const response = await fetch(`${config.SUPABASE_URL}/rest/v1/proven_wallets`, {
      method: 'POST',
      headers: { apikey: key, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ user_id: memberId, address: address.toLowerCase() }),
    })
    if (response.ok || response.status === 409) return true
    log.error('proven-wallets.not-saved', { status: response.status })
  } catch (error) {
    log.error('proven-wallets.not-saved', { message: (error as Error).name })
  }
  return false
}

/** Revokes the proof of a wallet. Returns whether the wallet is gone. */
export async function revokeProvenWallet(
  backend: Backend,
  memberId: string,
  address: string,
  log: Log,
): Promise<boolean> {
  const { error, status } = await backend
    .from('proven_wallets')
    .delete()
    .eq('user_id', memberId)
    .eq('address', address.toLowerCase())
  if (error) log.error('proven-wallets.not-revoked', { code: error.code, status })
  return !error
}
