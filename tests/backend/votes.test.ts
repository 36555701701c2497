import { createHash, randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { Choice } from '../../app/votes/ballot.ts'
import { signerOfBallot } from '../../app/votes/signer.server.ts'
import { isValid, sharesOf, tally, tallySplit, type WeighedBallot } from '../../app/votes/tally.ts'
import { drawFrom } from '../support/draw.ts'
import { addGoal } from '../support/goals.ts'
import { act, addOperator } from '../support/operators.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { addSplit, endSoon, openTestVote, readVote, signBallot, waitForEnd } from '../support/votes.ts'

const began = Date.now()
const backend = await startTemporary()
afterAll(() => backend.close())

const { splitChecker, voteCounter } = await import(
  new URL('../../public/verify-ledger.mjs', import.meta.url).href
)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const seed = Number(process.env.SEED) || 20261127

test('ballots in any order, repeated, at equal times and counted by overlapping runs give one result, from which nothing can be missing', async () => {
  const next = drawFrom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const { slug } = await addGoal(backend)
  // On a busy machine the ballots need longer, in proportion to the start of the backend.
  await endSoon(backend, slug, Math.max(15, (6 * (Date.now() - began)) / 1000))
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
  const sums = tallySplit(weighed, 6)
  const shares = sharesOf(sums)
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
  const checkSplit = splitChecker()
  for (const [index, { entry }] of lines.entries()) {
    counter.check(JSON.parse(entry), Buffer.from(entry), index)
    checkSplit(JSON.parse(entry), index)
  }
  // The split of the allocation follows a valid result.
  expect(JSON.parse(lines.at(-1)?.entry ?? '{}')).toMatchObject({ kind: 'split', cause: slug })
  expect(JSON.parse(lines.at(-2)?.entry ?? '{}')).toMatchObject({
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

  // After three voids two operators let it be drawn again, and name the blocks.
  const isDrawn = async () => {
    const before = await backend.sql('select from public.vote_draws')
    await openTestVote(backend, 'split-2')
    return (await backend.sql('select from public.vote_draws')).length > before.length
  }
  const drawn: boolean[] = []
  for (let attempt = 1; attempt <= 4; attempt++) {
    drawn.push(await isDrawn())
    await backend.sql(
      `select public.void_vote(max(id), 1001, '0x' || repeat('7', 64)) from public.vote_draws`,
    )
  }
  expect(drawn).toEqual([true, true, true, false])
  const redraw = async (blocks: string) => {
    const act = randomUUID()
    const values = { act, kind: 'redraw', subject: 'split-2', arguments: { blocks }, reason: 'A long fork.' }
    await call(ada, 'save_act', values)
    return [await call(ada, 'submit_act', { act }), await call(bob, 'confirm_act', { act })]
  }
  expect((await redraw('1001 1001'))[0]).toBe('invalid_field blocks format')
  expect(await redraw('1001 1001 1001')).toEqual(['waiting', 'done'])
  expect((await redraw('1001 1001 1001'))[0]).toBe('already_done')
  expect(await isDrawn()).toBe(true)
  const all = await backend.sql<{ entry: string }>(
    `select entry from private.log_entries where entry not like '%"split-1"%' order by index`,
  )
  const run = (entries: { entry: string }[]) => {
    const { check } = voteCounter(true)
    for (const [index, { entry }] of entries.entries()) check(JSON.parse(entry), Buffer.from(entry), index)
  }
  run(all)
  expect(() => run(all.filter(({ entry }) => !entry.includes('"redraw"')))).toThrow(
    /void 3 times, and two operators did not/,
  )
}, 60_000)

test('at most 50 ballots of a wallet are counted in a vote, and neither copies nor forgeries use them up', async () => {
  const vote = await openTestVote(backend, (await addGoal(backend)).slug)
  const wallet = `0x${'a1'.repeat(20)}`
  const insert = (seconds: number[]) =>
    backend.sql<{ id: number; fault?: string }>(
      `with member as (
         insert into auth.users (id, aud, role, email)
         values ($1::uuid, 'authenticated', 'authenticated', $1::uuid || '@example.org') returning id
       )
       insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
       select member.id, $2, $3, 'support', date_trunc('second', now()) + make_interval(secs => second),
         '0x' || repeat('1', 128) || '1b'
       from member, unnest($4::integer[]) as second returning id::int`,
      [randomUUID(), vote.id, wallet, `{${seconds}}`],
    )
  const from = (first: number) => Array.from({ length: 18 }, (_, at) => first + at)
  const forged = (await insert(from(90))).map(({ id }) => ({ id, reason: 'signature' }))
  const rows = [
    ...(await insert(from(0))),
    ...(await insert(from(0))),
    ...(await insert(from(18))),
    ...(await insert(from(36))),
  ]
  const genuine = rows.map(({ id }) => ({ id, weight: `${10n ** 18n}`, digest: sha256(`${id}`) }))
  const count = (results: object[]) =>
    backend.sql('select public.count_ballots($1) as done', [JSON.stringify(results)])
  expect(await count([...forged, ...genuine])).toEqual([{ done: { counted: 50, refused: 22 } }])
  const [late] = await insert([60])
  expect(await count([{ ...genuine[0], id: late?.id }])).toEqual([{ done: { counted: 0, refused: 1 } }])
  expect(
    await backend.sql(`select count(*)::int from public.fundme_ballots where reason = 'many' and vote = $1`, [
      vote.id,
    ]),
  ).toEqual([{ count: 5 }])
  expect(await readVote(backend, vote.goal)).toMatchObject({
    ballots: 50,
    support_wallets: 1,
    waiting_count: 0,
  })
})

test('weights that cannot be right are refused: two of one wallet, and more than may vote', async () => {
  const vote = await openTestVote(backend, (await addGoal(backend)).slug)
  const [member] = await backend.sql<{ id: string }>(
    `insert into auth.users (id, aud, role, email)
     values (gen_random_uuid(), 'authenticated', 'authenticated', 'heavy@example.org') returning id`,
  )
  /** Hands in one ballot of each wallet, and counts all of them with these tokens as their weights. */
  const count = async (given: [wallet: string, tokens: number, second: number][]) => {
    const rows: { id: number }[] = []
    for (const [wallet, , second] of given)
      rows.push(
        ...(await backend.sql<{ id: number }>(
          `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
           values ($1, $2, $3, 'support', date_trunc('second', now()) + make_interval(secs => $4),
             '0x' || repeat('1', 128) || '1b') returning id::int`,
          [member?.id, vote.id, `0x${wallet.repeat(40)}`, second],
        )),
      )
    const results = rows.map(({ id }, at) => ({
      ...{ id, weight: `${BigInt(given[at]?.[1] ?? 0) * 10n ** 18n}`, digest: sha256(`${id}`) },
    }))
    const [row] = await backend.sql<{ done: object }>('select public.count_ballots($1) as done', [
      JSON.stringify(results),
    ])
    return row?.done
  }
  // 1,000 tokens may vote. The address 0 is excluded, and what it holds is not among them.
  expect(
    await count([
      ['a', 600, 0],
      ['a', 599, 1],
      ['0', 900, 0],
      ['b', 400, 0],
      ['d', 1, 0],
    ]),
  ).toEqual({ counted: 2, refused: 3 })
  expect(
    await count([
      ['a', 600, 2],
      ['b', 399, 2],
      ['e', 1, 0],
    ]),
  ).toEqual({ counted: 1, refused: 2 })
  const reasons = 'select reason, count(*)::int from public.fundme_ballots where vote = $1 group by reason'
  expect(await backend.sql(`${reasons} order by reason`, [vote.id])).toEqual([
    { reason: 'excluded', count: 1 },
    { reason: 'weight', count: 4 },
  ])
  expect(await readVote(backend, vote.goal)).toMatchObject({ support: `${10n ** 21n}`, support_wallets: 2 })
})

test('the database and the site count the same shares of a split', async () => {
  const next = drawFrom(seed)
  const cases = Array.from({ length: 2_000 }, () => {
    const cuts = [0, ...Array.from({ length: 5 }, () => Math.floor(next() * 101)), 100].toSorted(
      (a, b) => a - b,
    )
    const weight = BigInt(1 + Math.floor(next() * 1e9)) * 10n ** BigInt(Math.floor(next() * 60))
    const parts = cuts.slice(1).map((cut, at) => BigInt(cut - (cuts[at] ?? 0)) * weight)
    // A mean of two ballots that differ a little.
    const moved = parts.map((part, at) =>
      at === 0 && part > 7n ? part - 7n : at === 1 && (parts[0] ?? 0n) > 7n ? part + 7n : part,
    )
    return { parts: moved.map(String), weight: `${weight}` }
  })
  const counted = await backend.sql<{ shares: number[] }>(
    `select private.shares_of(array(select jsonb_array_elements_text(parts)::numeric), weight::numeric) as shares
     from jsonb_to_recordset($1) as one (parts jsonb, weight text)`,
    [JSON.stringify(cases)],
  )
  expect(counted.map(({ shares }) => shares)).toEqual(
    cases.map(({ parts, weight }) => sharesOf({ parts: parts.map(BigInt), weight: BigInt(weight) })),
  )
})

const deep = process.env.DEEP === '1'
/** Four members who hand in ballots, and a goal on which they vote again and again. */
const prepareRuns = async (supply?: bigint) => {
  const members = Array.from({ length: 4 }, () => randomUUID())
  for (const member of members)
    await backend.sql(
      `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2)`,
      [member, `${member}@example.org`],
    )
  const { slug } = await addGoal(backend)
  const first = await openTestVote(backend, slug, undefined, supply)
  return { members, first: first.id }
}

/** Opens another vote like the first one on a goal, which no function does while that one is valid. */
const openAnother = async (first: number): Promise<number> => {
  const [row] = await backend.sql<{ id: number }>(
    `with drawn as (
       insert into public.vote_draws (slug, attempt, chain_id, start_block, seed_block, window_seconds, token, excluded,
         quorum_percent)
       select draws.slug, (select max(attempt) + 1 from public.vote_draws as all_draws where all_draws.slug = draws.slug),
         draws.chain_id, draws.start_block, draws.seed_block, window_seconds, draws.token, draws.excluded,
         draws.quorum_percent
       from public.vote_draws as draws join public.votes on votes.draw = draws.id where votes.id = $1
       returning id
     ), opened as (
       insert into public.votes (draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded,
         eligible, quorum_percent, quorum, least_weight, closes_at)
       select (select id from drawn), slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded,
         eligible, quorum_percent, quorum, least_weight, closes_at
       from public.votes where id = $1
       returning id
     )
     insert into private.vote_sums (vote) select id from opened returning vote as id`,
    [first],
  )
  return Number(row?.id)
}

/** The entries of a vote, as its file has them, with the first entry of its goal or split. */
const entriesOf = (vote: number) =>
  backend.sql<{ index: number; entry: string }>(
    `select log_index as index, entry from public.published_vote_entries as entries
     where goal = (select slug from public.votes where id = $1) and (
       vote = $1 or kind in ('goal', 'split-vote')
       or (entry::json ->> 'id')::bigint = (select draw from public.votes where id = $1) and kind = 'draw'
     )
     union all
     select log_index, entry from public.published_ballots where vote = $1
     order by index`,
    [vote],
  )

/** Lets the log forget a vote, so that each run costs as much as the first. */
const forget = async (vote: number) => {
  await backend.sql('set session_replication_role = replica')
  for (const table of [
    'public.vote_results',
    'public.vote_ballots',
    'private.vote_standings',
    'private.vote_sums',
  ])
    await backend.sql(`delete from ${table} where vote = $1`, [vote])
  await backend.sql('delete from public.votes where id = $1', [vote])
  await backend.sql('delete from public.vote_draws where id not in (select draw from public.votes)')
  await backend.sql('set session_replication_role = origin')
}

test('runs that overlap, and that are killed between any two steps, count each ballot once', async () => {
  const next = drawFrom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const supply = 10n ** 71n
  const { members, first } = await prepareRuns(supply)
  const split = (await openTestVote(backend, await addSplit(backend, 7 * 86_400), undefined, supply)).id
  const wallets = [1, 2, 3].map((at) => privateKeyToAccount(`0x${sha256(`a runner ${at}`)}`))
  // A number would lose the last digit of each of them.
  const weights = new Map(
    wallets.map(({ address }, at) => [
      address.toLowerCase(),
      10n ** (at === 2 ? 69n : 70n) * 3n + BigInt(at),
    ]),
  )
  const weightOf = (wallet: string) => weights.get(wallet) ?? 0n
  const splitChoices = ['40 20 10 10 10 10', '33 13 11 17 16 10', '20 0 40 0 0 40']
  const runs = deep ? 10_000 : 25
  for (let run = 0; run < runs; run++) {
    const isSplit = run % 4 === 3
    const vote = await openAnother(isSplit ? split : first)
    const [opened] = await backend.sql<{ at: string; goal: string; leaf: string }>(
      `select private.ballot_time(votes.recorded_at) as at, votes.slug as goal, encode(entries.leaf, 'hex') as leaf
       from public.votes join private.log_entries as entries on entries.kind = 'vote' and entries.row_id = votes.id
       where votes.id = $1`,
      [vote],
    )
    const { at = '', goal = '', leaf = '' } = opened ?? {}
    const given: WeighedBallot<string>[] = []
    const digests = new Map<string, string>()
    const keyOf = (one: { wallet?: string; choice?: string; time?: string }) =>
      [one.wallet, one.choice, one.time].join()
    const handIn = async () => {
      const wallet = wallets[below(3)] ?? wallets[0]
      const choices = isSplit ? splitChoices : ['support', 'against']
      const choice = choices[below(choices.length)] ?? ''
      const when = new Date(Date.parse(at) + 1_000 * below(2))
      const row = await signBallot(
        wallet as NonNullable<typeof wallet>,
        { goal, id: vote, leaf },
        choice,
        when,
      )
      const ballot = { wallet: row.wallet, choice, time: row.signed_at }
      digests.set(keyOf(ballot), sha256(row.message))
      given.push({ ...ballot, digest: sha256(row.message), weight: weightOf(row.wallet) })
      await backend.sql(
        `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
         values ($1, $2, $3, $4, $5, $6)`,
        [members[below(4)], vote, row.wallet, choice, row.signed_at, row.signature],
      )
    }
    // What each of two runs has read and not counted yet.
    const read: (string | null)[] = [null, null]
    const readWork = async (runner: number) => {
      const [row] = await backend.sql<{ work: { ballots: Record<string, string>[] } }>(
        `select public.vote_work($1) as work`,
        [1 + below(5)],
      )
      const results = (row?.work.ballots ?? []).map(({ id, wallet = '', choice, time }) => ({
        ...{ id, weight: `${weightOf(wallet)}`, digest: digests.get(keyOf({ wallet, choice, time })) },
      }))
      read[runner] = JSON.stringify(results)
    }
    const count = async (runner: number) => {
      const results = read[runner]
      read[runner] = null
      if (!results) return
      // A kill within the step: its transaction leaves nothing.
      const isKilled = below(4) === 0
      if (isKilled) await backend.sql('begin')
      await backend.sql('select public.count_ballots($1)', [results])
      if (isKilled) await backend.sql('rollback')
    }
    const finish = () => backend.sql('select public.finish_votes()')
    for (let step = 0; step < 14; step++) {
      const runner = below(2)
      const kill = () => {
        read[runner] = null
      }
      await [handIn, handIn, () => readWork(runner), () => count(runner), kill, finish][below(6)]?.()
    }
    await backend.sql('set session_replication_role = replica')
    await backend.sql('update public.votes set closes_at = now() where id = $1', [vote])
    await backend.sql('set session_replication_role = origin')
    while ((await backend.sql('select 1 from public.fundme_ballots where reason is null')).length > 0) {
      const early = await finish()
      await readWork(0)
      await count(0)
      expect(
        await backend.sql('select 1 from public.vote_results where vote = $1', [vote]),
        `${early}`,
      ).toEqual([])
    }
    await finish()
    await finish()
    const distinct = new Set(given.map(({ digest }) => digest)).size
    const lines = await entriesOf(vote)
    const result = JSON.parse(lines.at(-1)?.entry ?? '{}')
    const [shown] = await backend.sql<Record<string, unknown>>(
      `select ballots::int, support::text, support_wallets::int, against::text, against_wallets::int, shares
       from private.vote_sums where vote = $1`,
      [vote],
    )
    if (isSplit) {
      const { weight, wallets: voters, parts } = tallySplit(given, 6)
      const shares = sharesOf({ weight, parts })
      const sums = { ballots: distinct, weight: `${weight}`, wallets: voters, shares }
      expect([run, result]).toMatchObject([run, { kind: 'split-result', ...sums, valid: weight > 0n }])
      const { against: _, against_wallets: __, ...counted } = shown ?? {}
      expect([run, counted]).toEqual([
        run,
        { ballots: distinct, support: `${weight}`, support_wallets: voters, shares },
      ])
    } else {
      const { support, against } = tally(given as WeighedBallot[])
      const sums = {
        ...{ support: `${support.weight}`, support_wallets: support.wallets },
        ...{ against: `${against.weight}`, against_wallets: against.wallets },
      }
      expect([run, result]).toMatchObject([run, { kind: 'result', ballots: distinct, ...sums }])
      expect([run, shown]).toEqual([run, { ballots: distinct, ...sums, shares: null }])
    }
    const { check, votes } = voteCounter()
    for (const { index, entry } of lines) {
      const facts = JSON.parse(entry)
      // The vote was ended before its time above.
      if (/result$/.test(facts.kind)) facts.recorded_at = votes[0]?.facts.closes_at
      // The draws of the former runs are not among the lines.
      if (facts.kind === 'draw') facts.attempt = 1
      check(facts, Buffer.from(entry), index)
    }
    expect(votes).toMatchObject([{ ballots: distinct, result: { facts: { id: result.id } } }])
    await forget(vote)
  }
}, 3_600_000)

test.runIf(deep)(
  '20,000 ballots of fresh wallets hold up no holder, and memory stays flat',
  async () => {
    const { first } = await prepareRuns()
    const vote = await openAnother(first)
    await backend.sql(
      `with members as (
       insert into auth.users (id, aud, role, email)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'flood-' || at || '@example.org' from generate_series(1, 1005) as at
       returning id
     ), numbered as (
       select id, row_number() over () as place from members
     )
     insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
     select id, $1, case when place > 1000 then '0x' || lpad(place::text, 40, 'f') else '0x' || lpad(to_hex(place * 100 + at), 40, '0') end,
       'support', date_trunc('second', now()) + interval '1 second', '0x' || repeat('1', 128) || '1b'
     from numbered cross join generate_series(1, 20) as at where place <= 1000 or at = 1`,
      [vote],
    )
    const heaps: number[] = []
    let runs = 0
    let heldUp = 0
    for (;;) {
      const [row] = await backend.sql<{ work: { ballots: { id: number; wallet: string }[] } }>(
        'select public.vote_work(200) as work',
      )
      const ballots = row?.work.ballots ?? []
      if (ballots.length === 0) break
      runs++
      const results = ballots.map(({ id, wallet }) => ({
        ...{ id, weight: wallet.startsWith('0xff') ? `${10n ** 20n}` : '0', digest: sha256(`${id}`) },
      }))
      await backend.sql('select public.count_ballots($1)', [JSON.stringify(results)])
      const [{ left } = { left: 0 }] = await backend.sql<{ left: number }>(
        `select count(*)::int as left from public.fundme_ballots where reason is null and wallet like '0xff%'`,
      )
      if (left > 0) heldUp = runs
      globalThis.gc?.()
      heaps.push(process.memoryUsage().heapUsed)
    }
    // Each of the 1,005 members has a turn in the first six runs.
    expect(heldUp).toBeLessThan(6)
    expect(runs).toBe(Math.ceil(20_005 / 200))
    expect(await backend.sql('select ballots::int from private.vote_sums where vote = $1', [vote])).toEqual([
      { ballots: 5 },
    ])
    expect(Math.max(...heaps.slice(-20)) - Math.max(...heaps.slice(10, 30))).toBeLessThan(30_000_000)
  },
  3_600_000,
)

test.runIf(deep)(
  'a ballot of another deployment is another text',
  async () => {
    const other = await startTemporary()
    const goal = await addGoal(backend)
    await addGoal(other, { slug: goal.slug })
    const [here, there] = [await openTestVote(backend, goal.slug), await openTestVote(other, goal.slug)]
    expect(here.leaf).not.toBe(there.leaf)
    const wallet = privateKeyToAccount(`0x${sha256('a wallet')}`)
    const ballot = await signBallot(wallet, there, 'support')
    const fields = { goal: goal.slug, choice: 'support', wallet: ballot.wallet, time: ballot.signed_at }
    expect(await signerOfBallot({ ...fields, vote: there.leaf }, ballot.signature)).toBe(ballot.wallet)
    expect(await signerOfBallot({ ...fields, vote: here.leaf }, ballot.signature)).not.toBe(ballot.wallet)
    await other.close()
  },
  60_000,
)
