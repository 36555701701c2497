import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { hashMessage, keccak256 as keccakByViem } from 'viem'
import { expect, test } from 'vitest'
import { plainSignature } from '../wallet/signature.server.ts'
import { type Ballot, ballotTime, isInTime, readBallot, writeBallot } from './ballot.ts'
import { drawnBlock, oldestBlock, windowOf } from './draw.ts'
import { signerOfBallot } from './signer.server.ts'
import {
  isValid,
  isWon,
  replaces,
  sharesOf,
  tally,
  tallySplit,
  termsOf,
  type WeighedBallot,
} from './tally.ts'

const { checksumAddress, countVote, keccak256, signerOf, splitChecker, voteCounter } = await import(
  new URL('../../public/verify-ledger.mjs', import.meta.url).href
)

interface Vectors {
  signature_cases: {
    what: string
    ballot: Ballot
    text: string
    digest: string
    signature: string
    signer: string | null
  }[]
  text_cases: { what: string; text: string }[]
  draw_cases: { start_block: number; seed_block: number; seed_hash: string; window: number; block: number }[]
  terms_cases: {
    supply: string
    excluded: string[]
    quorum_percent: string
    eligible: string
    quorum: string
    least_weight: string
  }[]
  share_cases: { what: string; parts: string[]; weight: string; shares: number[] | null }[]
  log: string[]
  log_cases: LogCase[]
  split_log: string[]
  split_log_cases: LogCase[]
  second_log: string[]
  second_log_cases: LogCase[]
  third_log: string[]
  third_log_cases: LogCase[]
  file_cases: (Omit<LogCase, 'entry'> & {
    ballots?: number
    unsigned?: number
    won?: boolean | null
    whole?: boolean
  })[]
}
interface LogCase {
  what: string
  from: number
  remove: number
  insert: string[]
  exit: number
  entry?: number
}
const vectors: Vectors = JSON.parse(readFileSync('public/ledger/vote-vectors.json', 'utf8'))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test.each(vectors.signature_cases)('the signer of a ballot: $what', async (one) => {
  expect(writeBallot(one.ballot)).toBe(one.text)
  expect(sha256(one.text)).toBe(one.digest)
  expect(readBallot(one.text)).toEqual(one.ballot)
  expect(await signerOfBallot(one.ballot, one.signature)).toBe(one.signer)
  expect(signerOf(one.text, one.signature), 'the verifier').toBe(one.signer)
  if (one.signer) expect(plainSignature(one.signature)).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
})

test.each(vectors.text_cases)('refuses a text with $what as a ballot', ({ text }) => {
  expect(readBallot(text)).toBeNull()
})

test('the fields of a ballot come back from its text, and no changed text has them', () => {
  const ballot = fc.record<Ballot>({
    goal: fc.stringMatching(/^goal-[a-z]{8}$/),
    choice: fc.constantFrom('support', 'against'),
    wallet: fc.stringMatching(/^0x[0-9a-f]{40}$/),
    time: fc.integer({ min: 1_577_836_800, max: 4_000_000_000 }).map((at) => ballotTime(new Date(at * 1000))),
    vote: fc.stringMatching(/^[0-9a-f]{64}$/),
  })
  fc.assert(
    fc.property(ballot, fc.nat(), fc.constantFrom(' ', '\n', 'x', '0'), (fields, place, inserted) => {
      const text = writeBallot(fields)
      const at = place % (text.length + 1)
      const changed = readBallot(text.slice(0, at) + inserted + text.slice(at))
      return JSON.stringify(readBallot(text)) === JSON.stringify(fields) && changed === null
    }),
    { numRuns: 1_000, seed: 20261127 },
  )
})

test('the time of a ballot lies between the opening, in whole seconds, and two minutes after its arrival', () => {
  const [opened, arrived] = [new Date('2027-01-04T09:06:00.700Z'), new Date('2027-01-05T10:00:00.500Z')]
  const inTime = (time: string) => isInTime(time, opened, arrived)
  expect(
    ['2027-01-04T09:05:59Z', '2027-01-04T09:06:00Z', '2027-01-05T10:02:00Z', '2027-01-05T10:02:01Z'].map(
      inTime,
    ),
  ).toEqual([false, true, true, false])
})

test.each(vectors.draw_cases)('the seed chooses block $block', (one) => {
  expect(windowOf(one.start_block, one.seed_block)).toBe(one.window)
  expect(drawnBlock(one.start_block, one.seed_block, one.seed_hash)).toBe(one.block)
})

test('a drawn block lies in the window, a window before the seed, and after the first block', () => {
  fc.assert(
    fc.property(
      fc.nat(60_000_000),
      fc.integer({ min: 2, max: 5_000_000 }),
      fc.bigInt(0n, 2n ** 256n - 1n),
      (start, more, hash) => {
        const seed = start + more
        const block = drawnBlock(start, seed, `0x${hash.toString(16).padStart(64, '0')}`)
        return block >= oldestBlock(start, seed) && block <= seed - windowOf(start, seed) && block > start
      },
    ),
    { numRuns: 2_000, seed: 20261127 },
  )
})

test.each(vectors.terms_cases)('the terms of a supply of $supply', (one) => {
  const { eligible, quorum, least } = termsOf(
    BigInt(one.supply),
    one.excluded.map(BigInt),
    one.quorum_percent,
  )
  expect([eligible, quorum, least].map(String)).toEqual([one.eligible, one.quorum, one.least_weight])
})

const logCases = [
  ...vectors.log_cases.map((one) => ({ ...one, log: vectors.log })),
  ...vectors.split_log_cases.map((one) => ({
    ...one,
    log: vectors.split_log,
    what: `the split, ${one.what}`,
  })),
  ...vectors.second_log_cases.map((one) => ({
    ...one,
    log: vectors.second_log,
    what: `version 2, ${one.what}`,
  })),
  ...vectors.third_log_cases.map((one) => ({
    ...one,
    log: vectors.third_log,
    what: `version 3, ${one.what}`,
  })),
]
test.each(logCases)('the verifier counts the log again: $what', (one) => {
  const lines = [...one.log]
  lines.splice(one.from, one.remove, ...one.insert)
  const { check, votes } = voteCounter(true)
  const run = () => {
    for (const [index, line] of lines.entries()) check(JSON.parse(line), Buffer.from(line), index)
  }
  if (one.exit === 0) {
    run()
    const opened = lines.filter((line) => line.includes('"kind":"vote"')).length
    const voids = lines.filter((line) => line.includes('"kind":"void"')).length
    expect(votes).toHaveLength(opened + voids)
  } else expect(run).toThrow(new RegExp(`^Entry ${one.entry} (\\(|opens)`))
})

test.each(vectors.file_cases)('the verifier counts the file of a vote again: $what', async (one) => {
  const lines = vectors.log.map((entry, index) => `{"index":${index},"entry":${entry}}`)
  lines.splice(one.from, one.remove, ...one.insert)
  const leaves = Buffer.from(vectors.log.map((entry) => sha256(`\0${entry}`)).join(''), 'hex')
  const counting = countVote(lines.map(Buffer.from), 'goal-kfxqzmwp', vectors.log.length, async () => leaves)
  if (one.exit !== 0) return expect(counting).rejects.toThrow(/^(Entry|A line) /)
  const { votes, unsigned, end, isWhole } = await counting
  expect(votes).toHaveLength(1)
  const ends = new Map([
    [true, 'won'],
    [false, 'not won'],
  ])
  expect({ ballots: votes[0].ballots, unsigned, end, isWhole }).toEqual({
    ...{ ballots: one.ballots, unsigned: one.unsigned },
    ...{ end: ends.get(one.won as boolean) ?? null, isWhole: one.whole },
  })
})

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'a program in Python, written from format.md, agrees with each case',
  () => {
    const { stdout } = spawnSync('python3', [
      'tests/support/count_votes.py',
      'public/ledger/vote-vectors.json',
    ])
    const [, agreed, all] = /^(\d+) of (\d+) cases agree\n$/.exec(`${stdout}`) ?? []
    expect([Number(agreed) > 90, agreed]).toEqual([true, all])
  },
)

test.each(vectors.share_cases)('the shares of a split: $what', ({ parts, weight, shares }) => {
  expect(sharesOf({ parts: parts.map(BigInt), weight: BigInt(weight) })).toEqual(shares)
})

test('the shares of a split add up to the whole, are within the limits, and are the means rounded down but for the rest', () => {
  const cuts = fc.array(fc.nat(100), { minLength: 5, maxLength: 5 })
  const percentages = cuts.map((cut) => {
    const places = [0, ...cut.toSorted((a, b) => a - b), 100]
    return places.slice(1).map((place, at) => place - (places[at] ?? 0))
  })
  const ballot = fc.record({ parts: percentages, weight: fc.bigInt(1n, 10n ** 70n) })
  fc.assert(
    fc.property(fc.array(ballot, { minLength: 1, maxLength: 9 }), (given) => {
      // The tightest limits that these ballots keep.
      const most = [0, 1, 2, 3, 4, 5].map((at) => Math.max(...given.map(({ parts }) => parts[at] ?? 0)))
      const ballots = given.map(({ parts, weight }, at) => ({
        ...{ wallet: `${at}`, choice: parts.join(' '), weight },
        ...{ time: '2027-01-05T12:00:00Z', digest: `${at}` },
      }))
      const sums = tallySplit([...ballots, ...ballots], 6)
      const shares = sharesOf(sums) ?? []
      const means = sums.parts.map((sum) => Number((sum * 10n) / sums.weight))
      const rest = shares.map((share, at) => share - (means[at] ?? 0))
      expect(shares.reduce((all, share) => all + share, 0)).toBe(1_000)
      expect(shares.every((share, at) => share <= (most[at] ?? 0) * 10)).toBe(true)
      expect(rest.every((added) => added >= 0)).toBe(true)
      expect(rest.every((added) => added <= 1)).toBe(true)
    }),
    { numRuns: 2_000, seed: 20261127 },
  )
})

test('a result on the split is valid from the quorum on, and never without weight', () => {
  const valid = (weight: bigint, quorum: bigint) => isValid({ weight }, { quorum })
  expect([valid(10n, 10n), valid(9n, 10n), valid(0n, 0n)]).toEqual([true, false, false])
})

const weighed = fc.array(
  fc.record<WeighedBallot>({
    wallet: fc.constantFrom('a', 'b', 'c', 'd'),
    choice: fc.constantFrom('support', 'against'),
    time: fc.constantFrom('2027-01-05T12:00:00Z', '2027-01-05T12:00:01Z', '2027-01-05T12:00:02Z'),
    digest: fc.constantFrom('1', '2', '3', '4', '5'),
    weight: fc.constant(0n),
  }),
  { maxLength: 12 },
)
/** A wallet has one weight. The last digit of a large weight must not be lost. */
const weights: Record<string, bigint> = { a: 10n ** 70n + 1n, b: 3n, c: 10n ** 70n, d: 2n }

test('the order and the repetition of ballots change nothing, and a wallet counts once', () => {
  fc.assert(
    fc.property(weighed, fc.infiniteStream(fc.nat()), (given, numbers) => {
      // The digest is that of the text, so one wallet, time and digest has one choice.
      const known = new Map<string, WeighedBallot>()
      for (const one of given)
        known.set(`${one.wallet} ${one.time} ${one.digest}`, { ...one, weight: weights[one.wallet] ?? 0n })
      const ballots = [...known.values()]
      const mixed = [...ballots, ...ballots]
        .map((one) => [Number(numbers.next().value), one] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, one]) => one)
      const sums = tally(ballots)
      const newest = (wallet: string) =>
        ballots
          .filter((one) => one.wallet === wallet)
          .find((one, _, own) => own.every((other) => other === one || replaces(one, other)))
      const expected = { support: 0n, against: 0n }
      for (const wallet of Object.keys(weights)) {
        const one = newest(wallet)
        if (one) expected[one.choice] += one.weight
      }
      expect(tally(mixed)).toEqual(sums)
      expect({ support: sums.support.weight, against: sums.against.weight }).toEqual(expected)
    }),
    { numRuns: 10_000, seed: 20261127 },
  )
})

test('equality fills the quorum, and does not win against as much weight', () => {
  const won = (support: bigint, against: bigint) =>
    isWon(
      { support: { weight: support, wallets: 1 }, against: { weight: against, wallets: 1 } },
      { quorum: 10n },
    )
  expect([won(10n, 9n), won(9n, 0n), won(10n, 10n), won(11n, 10n), won(10n ** 70n + 1n, 10n ** 70n)]).toEqual(
    [true, false, false, true, true],
  )
})

test('the verifier computes Keccak-256 and checksums as viem does', () => {
  for (const length of [0, 1, 55, 135, 136, 137, 272, 1_000])
    expect(`0x${Buffer.from(keccak256(Buffer.alloc(length, 7))).toString('hex')}`).toBe(
      keccakByViem(new Uint8Array(length).fill(7)),
    )
  expect(hashMessage('a')).toBe(
    `0x${Buffer.from(keccak256(Buffer.from('\x19Ethereum Signed Message:\n1a'))).toString('hex')}`,
  )
  expect(checksumAddress('0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359')).toBe(
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  )
})

test('the verifier compares each split of the fees with the result or the standing order that made it', () => {
  const shares = [400, 200, 100, 100, 100, 100]
  const parts = {
    ...{ 'animal-welfare': 100, 'donation-wallet': 100, education: 400, goals: 100 },
    ...{ 'humanitarian-relief': 200, reserve: 100 },
  }
  const first = { kind: 'split', id: 1, recorded_at: '2026-11-02T10:00:00Z', from_month: '2026-11', parts }
  const result = { kind: 'split-result', goal: 'split-1', valid: true, shares }
  const log: Record<string, unknown>[] = [
    { ...first, cause: 'standing-order 1' },
    { kind: 'standing-order', number: 1, rule: 'allocation' },
    result,
    { ...first, id: 2, recorded_at: '2026-12-31T23:00:00Z', from_month: '2027-01', cause: 'split-1' },
    { ...result, goal: 'split-2', valid: false },
    { kind: 'allocation', month: '2026-11', split: 1 },
    { kind: 'allocation', month: '2026-12', split: 2 },
  ]
  const run = (at: number, change: object | null) => {
    const check = splitChecker()
    const changed = log.flatMap((one, place) => {
      if (place !== at) return [one]
      return change ? [{ ...one, ...change }] : []
    })
    for (const [index, entry] of changed.entries()) check(entry, index)
  }
  run(-1, null)
  const forgeries: [number, object | null, RegExp][] = [
    [3, { parts: { ...parts, education: 399, reserve: 101 } }, /^Entry 3 .* not the shares of the result/],
    [3, { parts: { ...parts, other: 0 } }, /^Entry 3 .* not the shares of the result/],
    [3, { from_month: '2026-12' }, /^Entry 3 .* not from the next month on/],
    [3, { cause: 'split-2' }, /^Entry 2 is a valid result, and its split does not follow/],
    [3, null, /^Entry 2 is a valid result, and its split does not follow/],
    [2, { valid: false }, /^Entry 3 .* neither a valid result nor a standing order/],
    [0, { cause: 'standing-order 2' }, /^Entry 0 .* its standing order does not follow/],
    [1, { rule: 'call' }, /^Entry 0 .* its standing order does not follow/],
    [6, { split: 1 }, /^Entry 6 is an allocation, and another split holds/],
    [5, { split: 2 }, /^Entry 5 is an allocation, and another split holds/],
  ]
  for (const [at, change, fault] of forgeries) expect(() => run(at, change)).toThrow(fault)
})
