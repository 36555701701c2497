import { percentagesOf } from '../ledger/split.ts'
import { isGoalSlug } from '../platform/goal-slug.ts'
import { checksumAddress } from '../wallet/address.ts'

export type Choice = 'support' | 'against'

export function isChoice(text: unknown): text is Choice {
  return text === 'support' || text === 'against'
}

/** What a wallet signs. */
export interface Ballot {
  /** The slug of the goal; empty in a ballot on the split, whose line `Vote` names its vote. */
  goal: string
  /** Support or against; in a ballot on the split, percentages: '40 20 10 10 10 10'. */
  choice: string
  /** The address of the wallet, in any case. */
  wallet: string
  /** Whole seconds in UTC, such as 2027-01-05T12:30:00Z. */
  time: string
  /** The leaf hash of the log entry `vote`, in lower-case hex. */
  vote: string
}

/** Words of the format (public/ledger/format.md), and no brand: every verifier has to know them. */
const heading = 'Ballot of token holders'
const ending = 'This is free and moves no money. Wallet, choice and weight become public for ever.'

/** The text that the wallet signs. It is never stored: every program writes it again from its fields. */
export function writeBallot({ goal, choice, wallet, time, vote }: Ballot): string {
  const chosen = percentagesOf(choice) ? [`Split: ${choice}`] : [`Goal: ${goal}`, `Choice: ${choice}`]
  return [
    heading,
    '',
    ...chosen,
    `Wallet: ${checksumAddress(wallet)}`,
    `Time: ${time}`,
    `Vote: ${vote}`,
    '',
    ending,
  ].join('\n')
}

const shape =
  /\n(?:Split: (?<split>[\d ]+)|Goal: (?<goal>\S+)\nChoice: (?<choice>\S+))\nWallet: (?<wallet>0x[0-9a-fA-F]{40})\nTime: (?<time>\S+)\nVote: (?<vote>[0-9a-f]{64})\n/

/** Reads the fields of a ballot from its text. Null for every text that `writeBallot` does not write. */
export function readBallot(text: string): Ballot | null {
  const {
    goal = '',
    split,
    choice = split,
    wallet = '',
    time = '',
    vote = '',
  } = shape.exec(text)?.groups ?? {}
  const isKnown = split === undefined ? isGoalSlug(goal) && isChoice(choice) : percentagesOf(split) !== null
  if (choice === undefined || !isKnown || !isBallotTime(time)) return null
  const ballot = { goal, choice, wallet: wallet.toLowerCase(), time, vote }
  return writeBallot(ballot) === text ? ballot : null
}

/** The time of a ballot: whole seconds, rounded down. */
export function ballotTime(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z')
}

function isBallotTime(text: string): boolean {
  return /^20\d\d-/.test(text) && !Number.isNaN(Date.parse(text)) && ballotTime(new Date(text)) === text
}

/** How far the time of a ballot may be ahead of its arrival, in milliseconds. */
const clockDifference = 2 * 60_000

/** True if the time of a ballot lies between the opening of its vote and two minutes after its arrival. */
export function isInTime(time: string, opened: Date, arrived: Date): boolean {
  const at = Date.parse(time)
  // The opening is rounded down to whole seconds, like the times of ballots.
  return at >= Math.floor(opened.getTime() / 1000) * 1000 && at <= arrived.getTime() + clockDifference
}
