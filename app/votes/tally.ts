import type { Choice } from './ballot.ts'

/** What decides a vote, in base units of the token. */
export interface Terms {
  /** The supply without the balances of excluded addresses. */
  eligible: bigint
  /** The supporting weight that a goal needs. Equality is enough. */
  quorum: bigint
  /** The least weight of a ballot that is counted. */
  least: bigint
}

/** The terms of a vote. `percent` is a decimal number with up to two decimals, such as '2' or '0.25'. */
export function termsOf(supply: bigint, excluded: readonly bigint[], percent: string): Terms {
  const eligible = excluded.reduce((rest, balance) => rest - balance, supply)
  const [whole = '0', fraction = ''] = percent.split('.')
  const hundredths = BigInt(whole + fraction.padEnd(2, '0'))
  return { eligible, quorum: (eligible * hundredths + 9_999n) / 10_000n, least: eligible / 1_000_000n }
}

/** A ballot with its weight. `digest` is the SHA-256 of its text, in lower-case hex. */
export interface WeighedBallot {
  wallet: string
  choice: Choice
  /** As in the text of the ballot, so that later times are greater as texts. */
  time: string
  digest: string
  weight: bigint
}

/** True if `ballot` counts in place of `other`, of the same wallet: it is later, or as late with the smaller digest. */
export function replaces(
  ballot: Pick<WeighedBallot, 'time' | 'digest'>,
  other: Pick<WeighedBallot, 'time' | 'digest'>,
): boolean {
  return ballot.time === other.time ? ballot.digest < other.digest : ballot.time > other.time
}

/** The weight and the number of wallets of one choice. */
interface Side {
  weight: bigint
  wallets: number
}

export interface Tally {
  support: Side
  against: Side
}

/** The sums of the ballots that count. The order of the ballots and repetitions change nothing. */
export function tally(ballots: Iterable<WeighedBallot>): Tally {
  const standing = new Map<string, WeighedBallot>()
  for (const ballot of ballots) {
    const other = standing.get(ballot.wallet)
    if (!other || replaces(ballot, other)) standing.set(ballot.wallet, ballot)
  }
  const sums: Tally = { support: { weight: 0n, wallets: 0 }, against: { weight: 0n, wallets: 0 } }
  for (const { choice, weight } of standing.values()) {
    sums[choice].weight += weight
    sums[choice].wallets += 1
  }
  return sums
}

export function isWon({ support, against }: Tally, { quorum }: Pick<Terms, 'quorum'>): boolean {
  return support.weight >= quorum && support.weight > against.weight
}
