import { versionHeader } from './protocol'

/** Versions are times in milliseconds (hub.server.ts). A version further in the future than this is ignored. */
const maxAhead = 60_000

let known = 0

/** The newest version that this isolate has received; 0 for none. A page that is rendered now is at least as new. */
export function knownVersion(): number {
  return known
}

/** Notes a version from the hub, or from a page that another isolate has stored. An older version has no effect. */
export function noteVersion(version: number): void {
  if (version > known) known = version
}

/** The version that a request claims; 0 if it claims none, or a version that cannot exist yet. */
export function claimedVersion({ headers }: Request): number {
  const value = headers.get(versionHeader)
  if (value === null || !/^\d{1,15}$/.test(value)) return 0
  const version = Number(value)
  return version > Date.now() + maxAhead ? 0 : version
}

/** The version that the page of a request must have: never newer than the newest that this isolate has received. */
export function requiredVersion(request: Request): number {
  return Math.min(claimedVersion(request), known)
}
