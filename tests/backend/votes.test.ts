import { createHash, randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { Choice } from '../../app/votes/ballot.ts'
import { tally, type WeighedBallot } from '../../app/votes/tally.ts'
import { drawFrom } from '../support/draw.ts'
import { addGoal } from '../support/goals.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { endSoon, openTestVote, readVote, signBallot, waitForEnd } from '../support/votes.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

const { voteCounter } = await import(new URL('../../public/verify-ledger.mjs', import.meta.url).href)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const seed = Number(process.env.SEED) || 20261127

test('ballots in any order, repeated, at equal times and counted by overlapping runs give one result, from which nothing can be missing', async () => {
  const next = drawFrom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const { slug } = await addGoal(backend)
  await endSoon(backend, slug, 30)
  const vote = await openTestVote(backend, slug)
  const wallets = Array.from({ length: 9 }, (_, at) => privateKeyToAccount(`0x${sha256(`wallet ${at}`)}`))
  // One of them has a weight of which a double would lose the last digits.
  const weights = wallets.map((_, at) => 10n ** 18n * BigInt(at * at + 1) + BigInt(at))
  const opened = Math.ceil(Date.now() / 1000) * 1000
  const choices: Choice[] = ['support', 'against']
  const all = await Promise.all(
    wallets.flatMap((wallet, at) =>
      [0, 1, 2].flatMap((second) =>
        choices.map(async (choice) => {
          const row = await signBallot(wallet, vote, choice, new Date(opened + second * 1000))
          const digest = sha256(row.message)
          return { ...row, digest, weight: weights[at] ?? 0n }
        }),
      ),
    ),
  )
  const given = [...all, ...all.filter(() => next() < 0.3)].filter(() => next() < 0.8)
  const counted: typeof all = []
  while (given.length > 0) {
    const some = Array.from({ length: Math.min(given.length, 1 + below(8)) }, () =>
      given.splice(below(given.length), 1),
    ).flat()
    counted.push(...some)
    const results: object[] = []
    for (const one of some) {
      const member = randomUUID()
      await backend.sql(
        `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2)`,
        [member, `${member}@example.org`],
      )
      const [row] = await backend.sql<{ id: number }>(
        `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [member, vote.id, one.wallet, one.choice, one.signed_at, one.signature],
      )
      results.push({ id: row?.id, digest: one.digest, weight: `${one.weight}` })
    }
    // The first run is late with a part, and the second run counts it too.
    const part = JSON.stringify(results.slice(below(results.length)))
    await Promise.all(
      [part, JSON.stringify(results)].map((sent) => backend.sql('select public.count_ballots($1)', [sent])),
    )
  }
  const ballots = counted.map(
    ({ wallet, choice, signed_at: time, digest, weight }): WeighedBallot => ({
      wallet,
      choice,
      time,
      digest,
      weight,
    }),
  )
  const { support, against } = tally(ballots)
  const sums = {
    ...{ support: `${support.weight}`, support_wallets: support.wallets },
    ...{ against: `${against.weight}`, against_wallets: against.wallets },
  }
  const distinct = new Set(ballots.map(({ digest }) => digest)).size
  expect(await readVote(backend, slug)).toMatchObject({ ...sums, ballots: distinct, waiting_count: 0 })
  await waitForEnd(backend, vote.id)
  expect(await backend.sql('select public.finish_votes() as many')).toEqual([{ many: 1 }])
  expect(await backend.sql('select public.finish_votes() as many')).toEqual([{ many: 0 }])

  const lines = await backend.sql<{ entry: string }>('select entry from private.log_entries order by index')
  const counter = voteCounter()
  for (const [index, { entry }] of lines.entries())
    counter.check(JSON.parse(entry), Buffer.from(entry), index)
  const result = JSON.parse(lines.at(-1)?.entry ?? '{}')
  expect(result).toMatchObject({ kind: 'result', ...sums, ballots: distinct })
}, 120_000)
