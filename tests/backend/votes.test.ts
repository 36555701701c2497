import { createHash, randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { Choice } from '../../app/votes/ballot.ts'
import { isValid, sharesOf, tally, tallySplit, type WeighedBallot } from '../../app/votes/tally.ts'
import { drawFrom } from '../support/draw.ts'
import { addGoal } from '../support/goals.ts'
import { act, addOperator } from '../support/operators.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { addSplit, endSoon, openTestVote, readVote, signBallot, waitForEnd } from '../support/votes.ts'

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

/** Inserts a waiting ballot of a new member. Returns its id. */
async function insertBallot(one: Awaited<ReturnType<typeof signBallot>>): Promise<number> {
  const member = randomUUID()
  await backend.sql(
    `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2)`,
    [member, `${member}@example.org`],
  )
  const [row] = await backend.sql<{ id: number }>(
    `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [member, one.vote, one.wallet, one.choice, one.signed_at, one.signature],
  )
  return row?.id ?? 0
}

const most = [60, 40, 40, 40, 40, 40]

test('ballots on the split are counted to the mean that anyone can count again, which holds from the next month on', async () => {
  const next = drawFrom(seed)
  const ada = await addOperator(backend, 'ada')
  const bob = await addOperator(backend, 'bob')
  const slug = await addSplit(backend, 6)
  const vote = await openTestVote(backend, slug)
  const choices = [
    '40 20 10 10 10 10',
    '20 0 40 0 0 40',
    '60 0 0 30 0 10',
    '33 13 11 17 16 10',
    '59 0 1 0 0 40',
  ]
  const opened = Math.ceil(Date.now() / 1000) * 1000
  const wallets = Array.from({ length: 5 }, (_, at) => privateKeyToAccount(`0x${sha256(`holder ${at}`)}`))
  const [holder] = wallets
  if (!holder) throw new Error('There is no wallet')
  const draw = (from: string[]) => from[Math.floor(next() * from.length)] ?? ''
  const weighed: WeighedBallot<string>[] = []
  for (const second of [0, 1])
    for (const [at, wallet] of wallets.entries()) {
      const row = await signBallot(wallet, vote, draw(choices), new Date(opened + second * 1000))
      weighed.push({
        ...{ wallet: row.wallet, choice: row.choice, time: row.signed_at, digest: sha256(row.message) },
        weight: 10n ** 19n * BigInt(at + 1) + BigInt(at),
      })
      const id = await insertBallot(row)
      const { digest, weight } = weighed.at(-1) ?? {}
      const result = JSON.stringify([{ id, digest, weight: `${weight}` }])
      await Promise.all([1, 2].map(() => backend.sql('select public.count_ballots($1)', [result])))
    }
  const sums = tallySplit(weighed)
  const shares = sharesOf(sums, most)
  expect(await readVote(backend, slug)).toMatchObject({
    ...{ ballots: weighed.length, support: `${sums.weight}`, support_wallets: 5, against: '0', shares },
  })
  for (const choice of ['10 20 20 20 20 10', '61 0 0 0 0 39', 'support'])
    await expect(insertBallot(await signBallot(holder, vote, choice))).rejects.toThrow('ballot_choice')
  const goal = await openTestVote(backend, (await addGoal(backend)).slug)
  await expect(insertBallot(await signBallot(holder, goal, choices[0] ?? ''))).rejects.toThrow(
    'ballot_choice',
  )
  await expect(insertBallot(await signBallot(holder, goal, '40 20 10 10 10 09'))).rejects.toThrow(
    'ballot_choice',
  )

  await waitForEnd(backend, vote.id)
  expect(await backend.sql('select public.finish_votes() as many')).toEqual([{ many: 1 }])
  const lines = await backend.sql<{ entry: string }>('select entry from private.log_entries order by index')
  const counter = voteCounter(true)
  for (const [index, { entry }] of lines.entries())
    counter.check(JSON.parse(entry), Buffer.from(entry), index)
  expect(JSON.parse(lines.at(-1)?.entry ?? '{}')).toMatchObject({
    ...{ kind: 'split-result', goal: slug, ballots: weighed.length, wallets: 5, weight: `${sums.weight}` },
    ...{ shares, valid: isValid(sums, { quorum: 2n * 10n ** 19n }) },
  })
  const holds = (month: string) => backend.sql(`select private.valid_split(${month}) as shares`)
  expect(await holds(`now()::date`)).toEqual([{ shares: null }])
  expect(await holds(`(now() + interval '1 month')::date`)).toEqual([{ shares }])
  expect(await backend.sql('select slug, shares from public.published_splits')).toEqual([{ slug, shares }])

  // Only two operators open one, at most one in 30 days.
  type Person = typeof ada
  const call = async (person: Person, name: string, parameters: object) => {
    const { data, error } = await person.client.rpc(name as never, parameters as never)
    if (!error) return (data as { state: string }).state
    const { field, why } = JSON.parse(error.details || '{}')
    return [error.message, field, why].filter(Boolean).join(' ')
  }
  const given = { days: '7', least: '20 0 0 0 0 10', most: most.join(' ') }
  const propose = async (changes = {}) => {
    const id = randomUUID()
    const values = {
      act: id,
      kind: 'split-vote',
      subject: null,
      arguments: { ...given, ...changes },
      reason: null,
    }
    expect(await call(ada, 'save_act', values)).toBe('draft')
    return { id, outcome: await call(ada, 'submit_act', { act: id }) }
  }
  expect((await propose()).outcome).toBe('split_recent')
  await backend.sql('set session_replication_role = replica')
  await backend.sql(`update public.split_votes set recorded_at = recorded_at - interval '30 days'`)
  await backend.sql('set session_replication_role = origin')
  const refusals: [object, string][] = [
    [{ days: '6' }, 'invalid_field days format'],
    [{ days: '15' }, 'invalid_field days format'],
    [{ least: '20 0 0 0 10' }, 'invalid_field least format'],
    [{ least: '20 20 20 20 20 20' }, 'invalid_field least format'],
    [{ most: '20 20 20 20 10 9' }, 'invalid_field most format'],
    [{ most: '19 40 40 40 40 40' }, 'invalid_field most format'],
    [{ more: '1' }, 'invalid_field more unknown'],
  ]
  for (const [changes, refusal] of refusals) expect((await propose(changes)).outcome).toBe(refusal)
  await expect(act(backend, 'split-vote', null, given)).rejects.toThrow('operators_only')
  const { id, outcome } = await propose()
  expect([outcome, await call(ada, 'confirm_act', { act: id })]).toEqual(['waiting', 'own_act'])
  expect(await call(bob, 'confirm_act', { act: id })).toBe('done')
  const made = await backend.sql<{ entry: string }>(
    `select entry from private.log_entries where log = 'ledger' order by index desc limit 2`,
  )
  expect(made.map(({ entry }) => JSON.parse(entry))).toMatchObject([
    {
      kind: 'act',
      act: 'split-vote',
      subject: 'split-2',
      by: 'ada',
      second: 'bob',
      made: { kind: 'split-vote', id: 2 },
    },
    { kind: 'split-vote', goal: 'split-2', least: [20, 0, 0, 0, 0, 10], most },
  ])
  const work = await backend.sql<{ work: { undrawn: string[] } }>('select public.vote_work(1) as work')
  expect(work[0]?.work.undrawn).toContain('split-2')
}, 60_000)

test('the database and the site count the same shares of a split', async () => {
  const next = drawFrom(seed)
  const cases = Array.from({ length: 2_000 }, () => {
    const cuts = [0, ...Array.from({ length: 5 }, () => Math.floor(next() * 101)), 100].toSorted(
      (a, b) => a - b,
    )
    const highest = cuts
      .slice(1)
      .map((cut, at) => Math.min(100, cut - (cuts[at] ?? 0) + Math.floor(next() * 2)))
    const weight = BigInt(1 + Math.floor(next() * 1e9)) * 10n ** BigInt(Math.floor(next() * 60))
    const parts = cuts.slice(1).map((cut, at) => BigInt(cut - (cuts[at] ?? 0)) * weight)
    // A mean of two ballots that differ a little.
    const moved = parts.map((part, at) =>
      at === 0 && part > 7n ? part - 7n : at === 1 && (parts[0] ?? 0n) > 7n ? part + 7n : part,
    )
    return { parts: moved.map(String), weight: `${weight}`, highest }
  })
  const counted = await backend.sql<{ shares: number[] }>(
    `select private.shares_of(array(select jsonb_array_elements_text(parts)::numeric), weight::numeric, highest) as shares
     from jsonb_to_recordset($1) as one (parts jsonb, weight text, highest smallint[])`,
    [JSON.stringify(cases)],
  )
  expect(counted.map(({ shares }) => shares)).toEqual(
    cases.map(({ parts, weight, highest }) =>
      sharesOf({ parts: parts.map(BigInt), weight: BigInt(weight) }, highest),
    ),
  )
})
