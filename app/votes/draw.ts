/** The number of blocks between the draw and the seed block, so that no one knows the hash of the seed block. */
export const seedDistance = 400
/** The largest window: a week of blocks of 0.45 seconds. */
const largestWindow = 1_344_000

/** The number of blocks among which one is drawn: a week, or half of the blocks since the first one. */
export function windowOf(startBlock: number, seedBlock: number): number {
  return Math.min(largestWindow, Math.floor((seedBlock - startBlock) / 2))
}

/** The oldest block that a draw can choose. */
export function oldestBlock(startBlock: number, seedBlock: number): number {
  return seedBlock - 2 * windowOf(startBlock, seedBlock) + 1
}

/** The block whose balances are the weights of a vote. The hash of the seed block chooses it. */
export function drawnBlock(startBlock: number, seedBlock: number, seedHash: string): number {
  const window = windowOf(startBlock, seedBlock)
  return seedBlock - window - Number(BigInt(seedHash) % BigInt(window))
}
