import { versionHeader } from './protocol'

/**
 * The maximum number of milliseconds by which a version may be in the future. Versions are times
 * (hub.server.ts). A version beyond this maximum is ignored.
 */
const maxAhead = 60_000

let known = 0

/** The newest version that this isolate has received, which a page now has; 0 before the first. */
export function knownVersion(): number {
  return known
}

/** Stores a version from the hub, or from a page of another isolate. An older one has no effect. */
export function noteVersion(version: number): void {
  if (version > known) known = version
}

/** The version that a request claims; 0 if it claims none, or one that cannot exist yet. */
export function claimedVersion({ headers }: Request): number {
  const value = headers.get(versionHeader)
  if (value === null || !/^\d{1,15}$/.test(value)) return 0
  const version = Number(value)
  return version > Date.now() + maxAhead ? 0 : version
}

/** The version that a request's page must have, never newer than this isolate has received. */
export function requiredVersion(request: Request): number {
  return Math.min(claimedVersion(request), known)
}
