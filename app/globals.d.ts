interface ImportMetaEnv {
  /** The id of the build. */
  readonly RELEASE: string
}

declare module 'react-dom/server.browser' {
  const server: Pick<typeof import('react-dom/server'), 'renderToStaticMarkup' | 'renderToReadableStream'>
  export default server
}

interface CacheStorage {
  /** The cache of the data centre, which the platform adds. */
  readonly default: Cache
}

/** What the page of a vote uses of the verifier. Throws Broken if something is wrong. */
declare module '*/verify-ledger.mjs' {
  type ReadTile = (level: number, index: number) => Promise<Uint8Array>
  export interface Vote {
    facts: { token_decimals: number; quorum: string }
    /** The accounts of the shares in a vote on the split. */
    limits?: { names: string[] }
    ballots: number
  }
  type End = 'void' | 'won' | 'not won' | 'valid' | 'not valid'
  export class Broken extends Error {}
  export function rootOf(size: number, readTile: ReadTile): Promise<Uint8Array>
  export function countVote(
    lines: AsyncIterable<Uint8Array>,
    goal: string,
    size: number,
    readTile: ReadTile,
  ): Promise<{ votes: Vote[]; unsigned: number; end: End | null; isWhole: boolean }>
  export function sumsOf(vote: Vote): Record<'support' | 'against', bigint>
  export function splitOf(vote: Vote): { weight: bigint; shares: number[] | null }
}
