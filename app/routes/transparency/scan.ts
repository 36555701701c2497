/** The last block of a chain that was read. */
export interface Scan {
  chainId: number
  blockNumber: number
  blockTime: Date
  scannedAt: Date
}

/** The chain is read every minute. Pages warn if the last read is older than this, in milliseconds. */
export const lateAfter = 15 * 60_000
