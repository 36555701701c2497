/** How far a chain was read. */
export interface Scan {
  chainId: number
  blockNumber: number
  blockTime: Date
  scannedAt: Date
}

/** The chain is read every minute: after this many milliseconds something is wrong. */
export const lateAfter = 15 * 60_000
