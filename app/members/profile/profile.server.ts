import * as z from 'zod/mini'
import type { Data } from '../../platform/server/data.server'
import { checksumAddress } from '../../wallet/address'

const text = z.nullable(z.string())

const profileRow = z.pipe(
  z.object({
    username: text,
    walletAddress: text,
    provenWalletAddress: text,
    avatarPath: text,
    operatorHandle: text,
  }),
  z.transform(({ username, walletAddress, provenWalletAddress: proven, avatarPath, operatorHandle }) => ({
    /** A field without a value is an empty string. */
    username: username ?? '',
    walletAddress: walletAddress ?? '',
    /** The wallet with which the member signs in: a signature proves that it is the member's. */
    provenWallet: proven && checksumAddress(proven),
    /** The path of the picture on this site. */
    avatarUrl: avatarPath && `/pictures/avatars/${avatarPath}`,
    isOperator: operatorHandle !== null,
  })),
)
export type Profile = z.infer<typeof profileRow>

const empty: Profile = {
  username: '',
  walletAddress: '',
  provenWallet: null,
  avatarUrl: null,
  isOperator: false,
}

/** The member's profile, or null if it cannot be loaded. The error is only logged (spec §8). */
export async function readProfile(data: Data, memberId: string): Promise<Profile | null> {
  const rows = await data.rows('profiles', profileRow, (query) => query.eq('id', memberId).limit(1))
  return rows && (rows[0] ?? empty)
}

export interface ProfileEdit {
  username: string
  walletAddress: string | null
}

/** Saves the profile. Returns null on success. */
export function saveProfile(
  data: Data,
  memberId: string,
  { username, walletAddress }: ProfileEdit,
): Promise<SaveFailure | null> {
  return updateProfile(data, memberId, { username, wallet_address: walletAddress })
}

const pictureRow = z.object({ avatarPath: text })

/** The name of the member's picture in the bucket; null without one, or if it cannot be loaded. */
export async function readPictureName(data: Data, memberId: string): Promise<string | null> {
  const rows = await data.rows('profiles', pictureRow, (query) => query.eq('id', memberId).limit(1))
  return rows?.[0]?.avatarPath ?? null
}

/** Sets or removes the name of the member's picture. Returns true on success. */
export async function savePictureName(data: Data, memberId: string, name: string | null): Promise<boolean> {
  return (await updateProfile(data, memberId, { avatar_path: name })) === null
}

/** The data API's status and message; the message is undefined if the member has no profile. */
interface SaveFailure {
  status: number
  message: string | undefined
}

async function updateProfile(
  { api, log }: Data,
  memberId: string,
  columns: { username?: string; wallet_address?: string | null; avatar_path?: string | null },
): Promise<SaveFailure | null> {
  const { data, error, status } = await api.from('profiles').update(columns).eq('id', memberId).select('id')
  if (!error && Array.isArray(data) && data.length === 1) return null
  log.error('profile.not-saved', { code: error?.code, status })
  return { status, message: error?.message }
}
