import { encodeHex } from '../../platform/bytes'
import { slugPattern } from '../../platform/impact-pools'
import { readBytes } from '../../platform/server/body.server'
import type { Log } from '../../platform/server/log.server'
import type { Runtime } from '../../platform/server/runtime.server'
import { isReduced, type Picture } from './reduce.server'

/**
 * The buckets, each with the pattern of its picture names. A name is a folder (the id of the member or of the
 * goal, or the pool's slug), followed by the SHA-256 of the bytes and the extension.
 */
const names = {
  avatars: /^[0-9a-f-]{36}\/[0-9a-f]{64}\.(webp|jpg|png)$/,
  goals: /^[0-9a-f-]{36}\/[0-9a-f]{64}\.(webp|jpg|png)$/,
  pools: new RegExp(`^${slugPattern}/[0-9a-f]{64}\\.(webp|jpg|png)$`),
}
export type Bucket = keyof typeof names

/** For each bucket, the database function that lists up to 100 pictures to which no row refers. */
const orphans: Record<Bucket, string> = {
  avatars: 'orphaned_pictures',
  goals: 'orphaned_goal_pictures',
  pools: 'orphaned_update_pictures',
}

/** The limit of each bucket (`file_size_limit`), in bytes. */
const maxBytes = 2 * 1024 * 1024
const readTimeout = 2_000

/** The bucket and the name of a picture, from its URL. Returns null if no picture can have that URL. */
export function findName(bucket = '', name: string): { bucket: Bucket; name: string } | null {
  const known = (Object.keys(names) as Bucket[]).find((each) => each === bucket)
  return known && names[known].test(name) ? { bucket: known, name } : null
}

/** An error from the storage API, in one form for every format of the API's responses. */
interface StorageError {
  status: number
  message: string
}

/**
 * Stores a picture in a folder: the member's own folder, the folder of the member's goal, or the folder of a
 * pool if the member is an operator. A picture that exists already counts as stored, because its name is the
 * hash of its bytes. Returns the name, or null if the storage refused the picture or did not respond.
 */
export async function storePicture(
  runtime: Runtime,
  { bucket, folder, accessToken }: { bucket: Bucket; folder: string; accessToken: string },
  { bytes, type, extension }: Picture,
): Promise<string | null> {
  const name = `${folder}/${await hashOf(bytes)}.${extension}`
  const error = await call(runtime, accessToken, `object/${bucket}/${name}`, {
    method: 'POST',
    body: bytes,
    // The caches in front of Storage must not serve a picture that was removed. `routes/pictures.ts` caches our copies.
    headers: { 'Content-Type': type, 'Cache-Control': 'no-cache', 'x-upsert': 'false' },
  })
  if (!error || error.status === 409) return name
  runtime.log.error('picture.not-stored', { status: error.status, message: error.message })
  return null
}

/** The SHA-256 of the bytes, in hex. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Removes pictures. If the storage fails, `sweepPictures` removes them later. */
export async function removePictures(
  runtime: Runtime,
  bucket: Bucket,
  accessToken: string,
  names: string[],
): Promise<void> {
  const error = await call(runtime, accessToken, `object/${bucket}`, {
    method: 'DELETE',
    body: JSON.stringify({ prefixes: names }),
    headers: { 'Content-Type': 'application/json' },
  })
  if (error) runtime.log.warn('picture.not-removed', { status: error.status })
}

/**
 * Returns the bytes of a picture, or null after a 4xx response (no picture has this name). Returns 'false' if
 * there are too many bytes, if their hash is not the name, or if the site would not have stored them
 * (`isReduced`), because a member can store such an object through the storage API. Returns 'unreachable' if the storage fails or does not respond. The bucket `goals`
 * is not public: the goal and `accessToken` determine who may see its pictures.
 */
export async function loadPicture(
  { config, log }: Runtime,
  { bucket, name }: { bucket: Bucket; name: string },
  accessToken = config.SUPABASE_PUBLISHABLE_KEY,
): Promise<Uint8Array<ArrayBuffer> | null | 'false' | 'unreachable'> {
  try {
    const path = bucket === 'goals' ? `goals/${name}` : `public/${bucket}/${name}`
    const headers: Record<string, string> =
      bucket === 'goals'
        ? { apikey: config.SUPABASE_PUBLISHABLE_KEY, Authorization: `Bearer ${accessToken}` }
        : {}
    const signal = AbortSignal.timeout(readTimeout)
    const response = await fetch(`${config.SUPABASE_URL}/storage/v1/object/${path}`, {
      redirect: 'manual',
      headers,
      signal,
    })
    const body = await readBytes(response.body, maxBytes)
    if (response.ok)
      return typeof body !== 'string' && isReduced(body, name) && name.includes(await hashOf(body))
        ? body
        : 'false'
    // The API responds with 400 or 404 to a request for a missing object.
    if (response.status < 500 && response.status >= 400) return null
    log.warn('picture.not-loaded', { status: response.status })
  } catch (error) {
    log.warn('picture.not-loaded', { reason: (error as Error).name })
  }
  return 'unreachable'
}

/**
 * Removes pictures to which no row refers: replaced pictures, and pictures of deleted members, withdrawn
 * texts and interrupted uploads. Removes at most 100 pictures of each bucket, all older than an hour. Does
 * nothing without the secret key.
 */
export async function sweepPictures(runtime: Runtime): Promise<void> {
  const buckets = (Object.keys(names) as Bucket[]).filter(
    (bucket) => bucket !== 'goals' || runtime.config.FUNDME_OPEN,
  )
  for (const bucket of buckets) await sweep(runtime, bucket)
}

async function sweep(runtime: Runtime, bucket: Bucket): Promise<void> {
  const { config, log, fetch } = runtime
  const key = config.SUPABASE_SECRET_KEY
  if (!key) return
  const response = await fetch(`${config.SUPABASE_URL}/rest/v1/rpc/${orphans[bucket]}`, {
    method: 'POST',
    headers: { apikey: key, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{}',
  })
  const found: unknown = await response.json()
  if (!response.ok || !Array.isArray(found)) {
    log.warn('picture.sweep-failed', { bucket, status: response.status })
    return
  }
  const known = found.filter(
    (name): name is string => typeof name === 'string' && findName(bucket, name) !== null,
  )
  if (known.length === 0) return
  await removePictures(runtime, bucket, key, known)
  log.info('picture.swept', { bucket, count: known.length })
}

/** Calls the storage API. Returns null on success. */
async function call(
  { config, log, fetch }: Runtime,
  token: string,
  path: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<StorageError | null> {
  const isSecret = token === config.SUPABASE_SECRET_KEY
  const headers = {
    ...init.headers,
    apikey: isSecret ? token : config.SUPABASE_PUBLISHABLE_KEY,
    Authorization: `Bearer ${token}`,
  }
  try {
    const response = await fetch(`${config.SUPABASE_URL}/storage/v1/${path}`, { ...init, headers })
    return response.ok ? null : await readError(response, log)
  } catch (error) {
    return { status: 503, message: (error as Error).name }
  }
}

/** An error's `msg`, `message`, `error_description` or `error`; `statusCode` is the status (spec §8). */
async function readError(response: Response, log: Log): Promise<StorageError> {
  const body = (await response.json().catch((error: Error) => {
    log.warn('picture.bad-response', { reason: error.name })
    return {}
  })) as Record<string, unknown> | null
  const message = body?.msg ?? body?.message ?? body?.error_description ?? body?.error
  return { status: Number(body?.statusCode) || response.status, message: `${message ?? ''}` }
}
