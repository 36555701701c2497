import { percentagesOf } from '../ledger/split.ts'
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
export interface WeighedBallot<Chosen extends string = Choice> {
  wallet: string
  choice: Chosen
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

/** The ballot of each wallet that counts. The order of the ballots and repetitions change nothing. */
function standingOf<Chosen extends string>(ballots: Iterable<WeighedBallot<Chosen>>) {
  const standing = new Map<string, WeighedBallot<Chosen>>()
  for (const ballot of ballots) {
    const other = standing.get(ballot.wallet)
    if (!other || replaces(ballot, other)) standing.set(ballot.wallet, ballot)
  }
  return [...standing.values()]
}

/** The sums of the ballots that count. */
export function tally(ballots: Iterable<WeighedBallot>): Tally {
  const sums: Tally = { support: { weight: 0n, wallets: 0 }, against: { weight: 0n, wallets: 0 } }
  for (const { choice, weight } of standingOf(ballots)) {
    sums[choice].weight += weight
    sums[choice].wallets += 1
  }
  return sums
}

export function isWon({ support, against }: Tally, { quorum }: Pick<Terms, 'quorum'>): boolean {
  return support.weight >= quorum && support.weight > against.weight
}

/** The weight and the number of wallets of a vote on the split, and for each share the sum of weight times percentage. */
interface SplitTally {
  weight: bigint
  wallets: number
  parts: bigint[]
}

/** The sums of the ballots on the split that count. `many`: the number of shares. */
export function tallySplit(ballots: Iterable<WeighedBallot<string>>, many: number): SplitTally {
  const standing = standingOf(ballots)
  const sums: SplitTally = { weight: 0n, wallets: standing.length, parts: Array(many).fill(0n) }
  for (const { choice, weight } of standing) {
    sums.weight += weight
    const percentages = percentagesOf(choice) ?? []
    sums.parts = sums.parts.map((sum, at) => sum + weight * BigInt(percentages[at] ?? 0))
  }
  return sums
}

/**
 * The result in thousandths: each share is its mean, rounded down; what is left of the whole goes to those with the largest
 * remainders, one thousandth each (of equal ones, to the first). Null without weight. A mean is within the limits of its
 * share, so that the result is too.
 */
export function sharesOf({ weight, parts }: Pick<SplitTally, 'weight' | 'parts'>): number[] | null {
  if (weight === 0n) return null
  const shares = parts.map((sum) => Number((sum * 10n) / weight))
  const rests = parts.map((sum) => (sum * 10n) % weight)
  const places = [...parts.keys()].sort((a, b) => {
    const [first = 0n, second = 0n] = [rests[a], rests[b]]
    return first === second ? a - b : first > second ? -1 : 1
  })
  const left = 1_000 - shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share, at) => share + (places.indexOf(at) < left ? 1 : 0))
}

/** A result on the split is valid with the quorum. */
export function isValid({ weight }: Pick<SplitTally, 'weight'>, { quorum }: Pick<Terms, 'quorum'>): boolean {
  return weight > 0n && weight >= quorum
}
