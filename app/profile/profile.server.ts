import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { checksumAddress } from '../wallet-address'

const row = z.object({
  username: z.string().nullable(),
  wallet_address: z.string().nullable(),
  proven_wallet_address: z.string().nullable(),
  avatar_url: z.string().nullable(),
})

/** What a member shows of themselves. Empty strings are fields not filled in. */
export interface Profile {
  username: string
  walletAddress: string
  /** The wallet that the member signs in with: theirs for certain. */
  provenWallet: string | null
  avatarUrl: string | null
}

/**
 * The member's profile, or null where it can't be read, which is only logged (spec §8).
 * `avatarOrigin` is the one origin whose https pictures are shown.
 */
export async function readProfile(
  backend: Backend,
  memberId: string,
  avatarOrigin: string,
  log: Log,
): Promise<Profile | null> {
  const query = backend
    .from('profiles')
    .select('username, wallet_address, proven_wallet_address, avatar_url')
    .eq('id', memberId)
    .limit(1)
  const rows = await readRows(query, z.array(row), log, 'profile.not-loaded')
  if (!rows) return null
  const [profile] = rows
  return {
    username: profile?.username ?? '',
    walletAddress: profile?.wallet_address ?? '',
    provenWallet: profile?.proven_wallet_address ? checksumAddress(profile.proven_wallet_address) : null,
    avatarUrl: safeAvatar(profile?.avatar_url, avatarOrigin),
  }
}

export interface ProfileEdit {
  username: string
  walletAddress: string | null
}

/** Saves what a member may change. Null when saved, otherwise the code of what went wrong. */
export async function saveProfile(backend: Backend, memberId: string, edit: ProfileEdit, log: Log) {
  const { data, error, status } = await backend
    .from('profiles')
    .update({ username: edit.username, wallet_address: edit.walletAddress })
    .eq('id', memberId)
    .select('id')
  if (!error && Array.isArray(data) && data.length === 1) return null
  log.error('profile.not-saved', { code: error?.code, status })
  return { code: error?.code, status }
}

/** The picture's address, where it is https (http for a local backend) and of the configured storage origin. */
export function safeAvatar(url: string | null | undefined, avatarOrigin: string): string | null {
  if (!url || !URL.canParse(url)) return null
  const { origin, href } = new URL(url)
  return origin === avatarOrigin && origin.startsWith('https:') ? href : null
}
