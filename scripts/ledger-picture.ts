import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toPictureLink } from '../app/ledger/update-picture.ts'
import type { Config } from '../app/server/env.server.ts'
import { signOrder } from '../app/server/operator-signature.ts'
import { UsageError } from './ledger-operator.ts'

/** Timeout of the upload, in milliseconds. */
const timeout = 30_000

const faults: Record<string, string> = {
  'picture-type': "The file isn't a JPEG, PNG, WebP or AVIF picture.",
  'picture-pixels': 'The picture is too large: at most 12,000 pixels per side and 50 million in total.',
  'picture-damaged': 'The picture is damaged or incomplete.',
  'picture-not-reduced':
    'The site cannot make the picture smaller: give a JPEG or PNG of at most 2 MB and 4 million pixels.',
  'picture-not-saved': "We couldn't store the picture. Try again.",
}

/**
 * Sends a picture of an update to the site, which reduces it and removes its metadata, as for members' pictures.
 * Returns the link of the picture, for the update. Throws a UsageError if the picture is not stored.
 */
export async function sendPicture(
  { SITE_URL, SUPABASE_SECRET_KEY = '' }: Config,
  pool: string,
  { file, alt }: { file: string; alt: string },
): Promise<string> {
  const bytes = readFile(file)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const response = await fetch(`${SITE_URL}/pictures/pools/${pool}/${hash}`, {
    method: 'POST',
    headers: {
      Authorization: await signOrder(SUPABASE_SECRET_KEY, `picture ${pool} ${hash}`, Date.now()),
      'Content-Type': 'application/octet-stream',
    },
    body: bytes,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)
  if (!response) throw new UsageError(`The site at ${SITE_URL} does not respond. SITE_URL names the site.`)
  if (response.status === 413) throw new UsageError('The picture has more than 10 MB.')
  const stored = await response.json().catch(() => ({}))
  const { path, width, height, fault } = stored as Record<string, string> & {
    width?: number
    height?: number
  }
  if (!response.ok || !path || !width || !height)
    throw new UsageError(faults[fault ?? ''] ?? `The site refused the picture (${response.status}).`)
  return toPictureLink(SITE_URL, { path, width, height, alt })
}

function readFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path))
  } catch {
    throw new UsageError(`--picture ${path} cannot be read.`)
  }
}
