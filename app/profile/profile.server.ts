import * as z from 'zod'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { checksumAddress } from '../wallet/address'

const row = z.object({
  username: z.string().nullable(),
  wallet_address: z.string().nullable(),
  proven_wallet_address: z.string().nullable(),
  avatar_path: z.string().nullable(),
})

/** A member's profile. An empty string is a field without a value. */
export interface Profile {
  username: string
  walletAddress: string
  /** The wallet that the member signs in with: proven by a signature. */
  provenWallet: string | null
  /** The path of the picture on this site. */
  avatarUrl: string | null
}

/** The member's profile, or null if it cannot be loaded, which is only logged (spec §8). */
export async function readProfile(backend: Backend, memberId: string, log: Log): Promise<Profile | null> {
  const query = backend
    .from('profiles')
    .select('username, wallet_address, proven_wallet_address, avatar_path')
    .eq('id', memberId)
    .limit(1)
  const rows = await readRows(query, z.array(row), log, 'profile.not-loaded')
  if (!rows) return null
  const [profile] = rows
  return {
    username: profile?.username ?? '',
    walletAddress: profile?.wallet_address ?? '',
    provenWallet: profile?.proven_wallet_address ? checksumAddress(profile.proven_wallet_address) : null,
    avatarUrl: profile?.avatar_path ? `/pictures/avatars/${profile.avatar_path}` : null,
  }
}

export interface ProfileEdit {
  username: string
  walletAddress: string | null
}

/** Saves the profile. Returns null on success, otherwise the data API's status and message (undefined for no row). */
export async function saveProfile(
  backend: Backend,
  memberId: string,
  edit: ProfileEdit,
  log: Log,
): Promise<{ status: number; message: string | undefined } | null> {
  const { data, error, status } = await backend
    .from('profiles')
    .update({ username: edit.username, wallet_address: edit.walletAddress })
    .eq('id', memberId)
    .select('id')
  if (!error && Array.isArray(data) && data.length === 1) return null
  log.error('profile.not-saved', { code: error?.code, status })
  return { status, message: error?.message }
}

/** The name of the member's picture in the bucket, or null if there is none or it cannot be loaded. */
export async function readPictureName(backend: Backend, memberId: string, log: Log): Promise<string | null> {
  const query = backend.from('profiles').select('avatar_path').eq('id', memberId).limit(1)
  const rows = await readRows(query, z.array(row.pick({ avatar_path: true })), log, 'profile.not-loaded')
  return rows?.[0]?.avatar_path ?? null
}

/** Sets or removes the name of the member's picture. Returns whether that was saved. */
export async function savePictureName(
  backend: Backend,
  memberId: string,
  name: string | null,
  log: Log,
): Promise<boolean> {
  const { data, error, status } = await backend
    .from('profiles')
    .update({ avatar_path: name })
    .eq('id', memberId)
    .select('id')
  if (!error && Array.isArray(data) && data.length === 1) return true
  log.error('profile.not-saved', { code: error?.code, status })
  return false
}
