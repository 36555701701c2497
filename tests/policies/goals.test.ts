import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { reportTime } from '../../app/goals/goal-clock.server.ts'
import { drawFrom } from '../support/draw.ts'
import { passTime } from '../support/followers.ts'
import { addOperator } from '../support/operators.ts'
import { startTemporary, transaction } from '../support/temporary-backend.ts'

/**
 * A model of the stages of a goal: the outcome of each function in each stage for each actor, with the
 * actor's own privileges. Each attempt is rolled back, so that the goals stay in their stages.
 */
const seed = Number(process.env.SEED ?? 20261123)
const deep = process.env.DEEP === '1'
const walks = deep ? 20_000 : 8
const transfers = deep ? 1_000 : 24
const backend = await startTemporary()
const operators = { ada: (await addOperator(backend, 'ada')).id, bob: (await addOperator(backend, 'bob')).id }
const addSession = (id: string) =>
  backend.sql('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
for (const id of Object.values(operators)) await addSession(id)
afterAll(() => backend.close())

async function newMember(): Promise<string> {
  const id = randomUUID()
  await backend.sql(
    `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2)`,
    [id, `${id}@example.org`],
  )
  await addSession(id)
  return id
}

interface Actor {
  role: 'anon' | 'authenticated' | 'service_role'
  id?: string
  aal?: string
}
const member = (id: string): Actor => ({ role: 'authenticated', id })
const operator = (name: keyof typeof operators): Actor => ({ ...member(operators[name]), aal: 'aal2' })

/** Makes the open transaction continue with the actor's role and claims. */
async function become({ role, id, aal = 'aal1' }: Actor): Promise<void> {
  const amr = [{ method: aal === 'aal2' ? 'totp' : 'password', timestamp: Math.floor(Date.now() / 1000) }]
  await backend.sql('reset role')
  await backend.sql(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
    [JSON.stringify({ sub: id, session_id: id, role, aal, amr }), id ?? ''],
  )
  await backend.sql(`set local role ${role}`)
}

interface Goal {
  id: string
  slug: string
  member: string
  wallet: string
}

const rpc = (name: string, ...values: unknown[]) =>
  backend.sql<{ answer: Record<string, unknown> | null }>(
    `select public.${name}(${values.map((_, at) => `$${at + 1}`)}) as answer`,
    values,
  )

const plan = JSON.stringify([
  { amount: '100', what: 'Coats' },
  { amount: '50.50', what: 'Shoes' },
])
const reason = 'A reason of ten letters.'
const twoPeople = ['goal-approval', 'goal-release', 'goal-annulment']
const withoutReason = ['goal-approval', 'goal-report', 'goal-update', 'complaint-dismissal']

/** Performs an act: the actor proposes it and, if it needs two people, the other confirms it. */
async function doAct(actor: Actor, kind: string, { slug }: Goal): Promise<void> {
  const [saved] = await rpc(
    'save_act',
    ...[null, kind, slug, '{}', withoutReason.includes(kind) ? null : reason],
  )
  const id = saved?.answer?.id
  await rpc('submit_act', id)
  if (!twoPeople.includes(kind)) return
  await become(operator(actor.id === operators.bob ? 'ada' : 'bob'))
  await rpc('confirm_act', id)
}

type Action = (actor: Actor, goal: Goal) => Promise<unknown>
const saves = 'update public.goals set title = title where id = $1 returning id'
const deletes = 'delete from public.goals where id = $1 returning id'
const actions: Record<string, Action> = {
  save: (_, { id }) => backend.sql(saves, [id]),
  delete: (_, { id }) => backend.sql(deletes, [id]),
  submit: async (_, { id }) =>
    rpc(
      'submit_goal',
      id,
      (await backend.sql<{ version: string }>('select version from public.goals where id = $1', [id]))[0]
        ?.version ?? 0,
    ),
  'take back': (_, { id }) => rpc('take_back_goal', id),
  end: (_, { id }) => rpc('end_goal', id, reason),
  'end without words': (_, { id }) => rpc('end_goal', id, null),
  update: (_, { id }) => rpc('post_goal_update', ...[id, 'We bought coats.', '', null, false]),
  report: (_, { id }) => rpc('post_goal_update', ...[id, 'All is bought.', '', null, true]),
  complain: (_, { slug }) => rpc('complain', slug, 'scam', 'It is not their story.'),
}
const acts = [
  ...['goal-approval', 'goal-return', 'goal-rejection', 'goal-freeze', 'goal-release', 'goal-annulment'],
  ...['goal-report', 'complaint-dismissal'],
]
for (const kind of acts) actions[kind] = (actor, goal) => doAct(actor, kind, goal)

/** Returns 'ok', 'nothing' if no row is found, or the error code of the refusal. */
async function outcomeOf(actor: Actor, action: string, goal: Goal): Promise<string> {
  await become(actor)
  try {
    const rows = await actions[action]?.(actor, goal)
    return Array.isArray(rows) && rows.length === 0 ? 'nothing' : 'ok'
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    return code === 'P0001' ? message : code
  }
}

/** Performs an action in a separate transaction. */
async function act(actor: Actor, action: string, goal: Goal, keep = true): Promise<string> {
  await backend.sql('begin')
  const outcome = await outcomeOf(actor, action, goal)
  await backend.sql(keep && outcome === 'ok' ? 'commit' : 'rollback')
  return outcome
}

async function newGoal(): Promise<Goal> {
  const owner = await newMember()
  const id = randomUUID()
  const wallet = `0x${id.replaceAll('-', '')}${'0'.repeat(8)}`
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature)
     values ($1, $2, 'a message', '0x' || repeat('9', 130))`,
    [owner, wallet],
  )
  await backend.sql('begin')
  await become(member(owner))
  await backend.sql(
    `insert into public.goals (id, member, title, byline, category, target_usd, days, plan, story, wallet)
     values ($1, $2, 'School coats', 'A school', 'School', 150.50, 7, $3, repeat('It is cold. ', 5), $4)`,
    [id, owner, plan, wallet],
  )
  await backend.sql('commit')
  return { id, slug: 'goal-zzzzzzzz', member: owner, wallet }
}

async function read<Columns>(columns: string, { id }: Goal): Promise<Columns> {
  const [row] = await backend.sql<Columns>(`select ${columns} from public.goals where id = $1`, [id])
  return row as Columns
}

async function check(goal: Goal, found: object = {}): Promise<void> {
  const { revision } = await read<{ revision: number }>('revision', goal)
  await backend.sql('select public.record_goal_check($1, $2)', [
    goal.id,
    JSON.stringify({
      ...{ revision, proven: true, ours: false, block_number: 9, block_hash: `0x${'9'.repeat(64)}` },
      ...{ nonce: 0, holds: [], ...found },
    }),
  ])
}

async function must(actor: Actor, action: string, goal: Goal): Promise<void> {
  expect([action, await act(actor, action, goal)]).toEqual([action, 'ok'])
}

const complainer = await newMember()
const stages = {
  draft: async (_goal: Goal) => {},
  submitted: async (goal: Goal) => {
    await must(member(goal.member), 'submit', goal)
    goal.slug = (await read<{ slug: string }>('slug', goal)).slug
    await check(goal)
  },
  returned: async (goal: Goal) => {
    await stages.submitted(goal)
    await must(operator('ada'), 'goal-return', goal)
  },
  rejected: async (goal: Goal) => {
    await stages.submitted(goal)
    await must(operator('ada'), 'goal-rejection', goal)
  },
  open: async (goal: Goal) => {
    await stages.submitted(goal)
    await must(operator('ada'), 'goal-approval', goal)
    await must(member(complainer), 'complain', goal)
    await backend.sql(
      `update public.goal_complaints set made_at = made_at - interval '2 days' where closed_at is null`,
    )
  },
  'open, frozen': async (goal: Goal) => {
    await stages.open(goal)
    await must(operator('ada'), 'goal-freeze', goal)
  },
  ended: async (goal: Goal) => {
    await stages.open(goal)
    await must(member(goal.member), 'end', goal)
  },
  'ended, frozen': async (goal: Goal) => {
    await stages.ended(goal)
    await must(operator('ada'), 'goal-freeze', goal)
  },
  'ended, reported': async (goal: Goal) => {
    await stages.ended(goal)
    await must(member(goal.member), 'report', goal)
  },
  completed: async (goal: Goal) => {
    await stages['ended, reported'](goal)
    await must(operator('ada'), 'goal-report', goal)
  },
  annulled: async (goal: Goal) => {
    await stages.open(goal)
    await must(operator('ada'), 'goal-annulment', goal)
  },
}
type Stage = keyof typeof stages

const goals = new Map<Stage, Goal>()
for (const stage of Object.keys(stages) as Stage[]) {
  const goal = await newGoal()
  await stages[stage](goal)
  goals.set(stage, goal)
}

/** The outcomes of an action by stage. In a stage that is not named, the outcome is `otherwise`. */
const model: Record<string, [otherwise: string, outcomes: Partial<Record<Stage, string>>]> = {
  save: ['nothing', { draft: 'ok', returned: 'ok' }],
  delete: ['nothing', { draft: 'ok', returned: 'ok' }],
  submit: ['stage', { draft: 'ok', returned: 'ok' }],
  'take back': ['stage', { submitted: 'ok' }],
  end: ['stage', { open: 'ok', 'open, frozen': 'frozen' }],
  'end without words': ['stage', { open: 'invalid_field', 'open, frozen': 'ok' }],
  update: [
    'stage',
    { open: 'ok', ended: 'ok', 'ended, reported': 'ok', 'open, frozen': 'frozen', 'ended, frozen': 'frozen' },
  ],
  report: ['stage', { ended: 'ok', 'ended, reported': 'ok', 'ended, frozen': 'frozen' }],
  complain: [
    'ok',
    { draft: 'not_found', submitted: 'not_found', returned: 'not_found', rejected: 'not_found' },
  ],
  'goal-approval': ['stage', { draft: 'not_found', submitted: 'ok' }],
  'goal-return': ['stage', { draft: 'not_found', submitted: 'ok' }],
  'goal-rejection': ['stage', { draft: 'not_found', submitted: 'ok' }],
  'goal-freeze': [
    'stage',
    {
      ...{ draft: 'not_found', open: 'ok', ended: 'ok', 'ended, reported': 'ok' },
      ...{ 'open, frozen': 'changed', 'ended, frozen': 'changed' },
    },
  ],
  'goal-release': [
    'stage',
    {
      ...{ draft: 'not_found', 'open, frozen': 'ok', 'ended, frozen': 'ok' },
      ...{ open: 'changed', ended: 'changed', 'ended, reported': 'changed' },
    },
  ],
  'goal-annulment': [
    'stage',
    {
      ...{ draft: 'not_found', open: 'ok', 'open, frozen': 'ok', ended: 'ok', 'ended, frozen': 'ok' },
      'ended, reported': 'ok',
    },
  ],
  'goal-report': [
    'stage',
    { draft: 'not_found', ended: 'no_report', 'ended, reported': 'ok', 'ended, frozen': 'frozen' },
  ],
  'complaint-dismissal': [
    'not_found',
    {
      ...{ open: 'ok', 'open, frozen': 'ok', ended: 'ok', 'ended, frozen': 'ok', 'ended, reported': 'ok' },
      completed: 'ok',
    },
  ],
}
const own = ['save', 'delete', 'submit', 'take back', 'end', 'end without words', 'update', 'report']

function expected(who: string, action: string, stage: Stage): string {
  const [otherwise, outcomes] = model[action] as (typeof model)[string]
  const outcome = outcomes[stage] ?? otherwise
  if (who === 'visitor') return '42501'
  if (own.includes(action)) {
    if (who === 'member') return outcome
    // The service may read every row, but may neither call a function for members nor change a row.
    if (who === 'service') return '42501'
    return action === 'save' || action === 'delete' ? 'nothing' : 'not_found'
  }
  if (who === 'service') return '42501'
  if (action === 'complain') return who === 'member' && outcome === 'ok' ? 'own_goal' : outcome
  return who === 'operator' ? outcome : 'not_operator'
}

test.each(Object.keys(actions))(
  "the action '%s' has the expected outcome for every actor in every stage",
  async (action) => {
    const stranger = await newMember()
    for (const [stage, goal] of goals) {
      const actors: Record<string, Actor> = {
        visitor: { role: 'anon' },
        member: member(goal.member),
        stranger: member(stranger),
        operator: operator('bob'),
        'operator at aal1': { ...operator('ada'), aal: 'aal1' },
        service: { role: 'service_role' },
      }
      for (const [who, actor] of Object.entries(actors)) {
        // An operator at aal1 has a second factor, so the policies for members also refuse this session.
        const name =
          who === 'operator at aal1' && action === 'complain' ? 'not_found' : expected(who, action, stage)
        expect([who, stage, await act(actor, action, goal, false)]).toEqual([who, stage, name])
      }
    }
  },
)

interface State {
  stage: string
  status: string
  frozen: boolean
  reported: boolean
  entry: string | null
  moves: number
  revision: number
  kept: string
  texts: string | null
  /** Whether each return and each rejection by operators has its reason, and no other move has one. */
  keepsReasons: boolean
  reasons: string | null
}

/**
 * The stage, the status, the log and the history agree. Only the log has the texts of a public goal; until a
 * goal is public, the history has the reason for each return and rejection.
 */
async function expectAgreement(goal: Goal): Promise<State | undefined> {
  const [state] = await backend.sql<State>(
    `select stage, status, frozen, report_number is not null as reported, revision, title || story || plan::text as kept,
       (select count(*)::int from private.goal_moves where goal = goals.id) as moves,
       (select entry from private.log_entries where log = 'ledger' and kind = 'goal' and row_id = (
         select max(id) from public.goal_changes where slug = goals.slug)) as entry,
       (select string_agg(texts::text, '') from private.goal_moves where goal = goals.id) as texts,
       (select string_agg(moves.reason, '') from private.goal_moves as moves where goal = goals.id) as reasons,
       (select bool_and(
          (moves.reason is not null) = (moves.stage in ('returned', 'rejected') and moves.moved_by = 'operator')
        ) from private.goal_moves as moves where goal = goals.id) as "keepsReasons"
     from public.goals where id = $1`,
    [goal.id],
  )
  if (!state) return
  expect(state.status).toBe(state.stage === 'open' ? 'active' : state.stage)
  expect(state.moves).toBe(state.revision)
  const isPublic = ['open', 'ended', 'completed', 'annulled'].includes(state.stage)
  expect(state.entry !== null).toBe(isPublic)
  if (!isPublic) {
    if (state.moves > 0) expect(state.keepsReasons).toBe(true)
    return state
  }
  expect(JSON.parse(state.entry ?? '{}')).toMatchObject({
    stage: state.stage,
    frozen: state.frozen,
    goal: goal.slug,
  })
  expect([state.kept, state.texts, state.reasons]).toEqual(['[]', null, null])
  return state
}

/** Makes the goal end now, if it is open. */
async function endByTime(goal: Goal): Promise<void> {
  await backend.sql('update public.goals set ends_at = now() where id = $1 and ends_at is not null', [
    goal.id,
  ])
  await backend.sql('select public.end_goals()')
}

/** Returns the stage of the model that a goal has reached. */
function stageOf({ stage, frozen, reported }: State): Stage {
  return (frozen ? `${stage}, frozen` : stage === 'ended' && reported ? 'ended, reported' : stage) as Stage
}

test('only the function private.move_goal changes a stage, and only in the steps that the table of stages allows', async () => {
  const { id } = goals.get('submitted') as Goal
  const change = (sql: string) =>
    backend.sql(sql, [id]).then(
      () => 'changed',
      (error: Error) => error.message,
    )
  expect(await change(`update public.goals set stage = 'open' where id = $1`)).not.toBe('changed')
  expect(
    await change(`update public.goals set stage = 'completed', revision = revision + 1 where id = $1`),
  ).toContain('cannot go from submitted to completed')
  const open = goals.get('open') as Goal
  await expect(backend.sql('delete from public.goals where id = $1', [open.id])).rejects.toThrow('was public')
})

test('the check lists what is missing in a draft, and what is wrong with the wallet of the draft', async () => {
  const goal = await newGoal()
  const faultsOf = async (changes: string) => {
    await backend.sql('begin')
    await become(member(goal.member))
    try {
      await backend.sql(`update public.goals set ${changes} where id = $1`, [goal.id])
      const { version } = await read<{ version: string }>('version', goal)
      await rpc('submit_goal', goal.id, version)
      return []
    } catch (error) {
      const { faults } = JSON.parse((error as { detail?: string }).detail || '{}')
      return (
        faults?.map(({ field, why }: Record<string, string>) => `${field} ${why}`) ?? (error as Error).message
      )
    } finally {
      await backend.sql('rollback')
    }
  }
  expect(await faultsOf(`title = ' a ', byline = '', category = 'x', story = 'short'`)).toEqual([
    ...['title missing', 'byline missing', 'category missing', 'story missing'],
  ])
  expect(await faultsOf('target_usd = 49, days = 31')).toEqual(['target range', 'days range', 'plan sum'])
  expect(await faultsOf('target_usd = null, days = null')).toEqual(['target missing', 'days missing'])
  expect(await faultsOf(`plan = '[{"amount": null, "what": "Coats"}]'`)).toEqual(['plan missing'])
  expect(await faultsOf(`picture_path = id || '/' || repeat('a', 64) || '.webp'`)).toEqual([
    ...['picture missing', 'picture_text missing'],
  ])
  expect(await faultsOf('wallet = null')).toEqual(['wallet missing'])
  expect(await faultsOf(`wallet = '0x' || repeat('1', 40)`)).toEqual(['wallet unproven'])
  const taken = goals.get('open') as Goal
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('9', 130))`,
    [goal.member, taken.wallet],
  )
  expect(await faultsOf(`wallet = '${taken.wallet}'`)).toEqual(['wallet taken'])
  for (const bad of [
    `title = 'a' || chr(8238)`,
    `story = 'Send to 0x' || repeat('A', 40)`,
    `title = 'www.a.b'`,
  ])
    expect([bad, await faultsOf(bad)]).toEqual([bad, expect.stringContaining('violates check constraint')])
  expect(await faultsOf(`links = 'http://a.b'`)).toContain('violates check constraint')
  expect(await faultsOf(`title = 'School coats'`)).toEqual([])
  await must(member(goal.member), 'submit', goal)
  await check(goal, { nonce: 1 })
  expect((await read<{ stage: string }>('stage', goal)).stage).toBe('returned')
  expect(await faultsOf(`title = 'School coats'`)).toEqual(['wallet used'])
})

test('the time limit for a report is the same in the database and in the demonstration', async () => {
  const rows = await backend.sql(
    `select distinct (extract(epoch from report_due_at - ended_at) * 1000)::float as time
     from public.published_goals where ended_at is not null`,
  )
  expect(rows).toEqual([{ time: reportTime }])
})

test('each text of a member is refused if it names a way to pay or a link, before and after the approval', async () => {
  const draft = goals.get('draft') as Goal
  const bad = 'Send it to TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const faultOf = async (goal: Goal, run: () => Promise<unknown>) => {
    await backend.sql('begin')
    await become(member(goal.member))
    try {
      await run()
      return 'done'
    } catch (error) {
      const { message, detail } = error as { message: string; detail?: string }
      return /"(goals_\w+)"/.exec(message)?.[1] ?? `${message} ${detail}`
    } finally {
      await backend.sql('rollback')
    }
  }
  const save = (column: string, value: string) =>
    faultOf(draft, () =>
      backend.sql(`update public.goals set ${column} = $2 where id = $1`, [draft.id, value]),
    )
  for (const column of ['title', 'story', 'picture_text'])
    expect(await save(column, bad)).toBe(`goals_${column}`)
  expect(await save('byline', 'goodblock-help.com')).toBe('goals_byline')
  expect(await save('category', '@goodblock')).toBe('goals_category')
  expect(await save('plan', JSON.stringify([{ amount: '1', what: bad }]))).toBe('goals_plan')
  expect(await save('links', 'https://goodblock.example@evil.example/')).toBe('goals_links')
  expect(await save('links', 'https://a.example/@b')).toBe('done')

  const open = goals.get('open') as Goal
  const post = (words: string, links = '', picture: string | null = null) =>
    faultOf(open, () => rpc('post_goal_update', open.id, words, links, picture, false))
  const field = (name: string, why: string) => `invalid_field {"why": "${why}", "field": "${name}"}`
  expect(await post(bad)).toBe(field('text', 'address'))
  expect(await post('\u3164\u3164')).toBe(field('text', 'missing'))
  expect(await post('Coats', 'https://u@evil.example/')).toBe(field('links', 'format'))
  expect(await faultOf(open, () => rpc('end_goal', open.id, `Moved to t.me/x. ${bad}`))).toBe(
    field('reason', 'address'),
  )
  const path = `https://a.example/pictures/goals/${open.id}/${'0'.repeat(64)}.webp`
  const picture = (query: string, base = path) => post('Coats', '', `${base}#${query}`)
  expect(await picture('width=10000&height=1&alt=A+coat')).toBe('done')
  expect(await picture('width=10001&height=1&alt=A')).toBe(field('picture', 'format'))
  expect(await picture('width=1e300&height=1&alt=A')).toBe(field('picture', 'format'))
  expect(await picture('width=1&height=1&alt=%ff')).toBe(field('picture', 'format'))
  expect(await picture('width=1&height=1&alt=Open+goodblock-help%2Ecom')).toBe(field('picture_text', 'link'))
  expect(await picture('width=1&height=1&alt=A', path.replace('a.example', 'a.example/give-at-evil'))).toBe(
    field('picture', 'format'),
  )
})

test('an update with the name of this site waits for an operator, who publishes the words that they saw', async () => {
  const goal = await newGoal()
  await stages.open(goal)
  const writer = member(goal.member)
  const shown = async () =>
    (
      await backend.sql<{ text: string }>('select text from public.published_updates where pool_slug = $1', [
        goal.slug,
      ])
    ).map(({ text }) => text)
  const published = (version: number | null) => async () => {
    const [saved] = await rpc('save_act', null, 'goal-update', goal.slug, '{}', null, version)
    return rpc('submit_act', saved?.answer?.id)
  }
  actions['update in our name'] = (_, { id }) =>
    rpc('post_goal_update', id, 'Gооdblосk pays the coats twice.', '', null, false)
  await must(writer, 'update in our name', goal)
  expect(await shown()).toEqual([])
  const [seen] = await backend.sql<{ version: number }>('select private.waiting_revision($1) as version', [
    goal.slug,
  ])
  await backend.sql(`update private.waiting_updates set made_at = made_at + interval '5 seconds'`)
  actions['publish what was replaced'] = published(Number(seen?.version))
  actions['publish what waits'] = published(Number(seen?.version) + 5)
  expect(await act(operator('ada'), 'publish what was replaced', goal)).toBe('changed')
  expect(await act(operator('ada'), 'publish what waits', goal)).toBe('ok')
  expect(await shown()).toEqual(['Gооdblосk pays the coats twice.'])
  expect(await act(operator('ada'), 'publish what waits', goal)).toBe('not_found')
  // No operator reads the reason of an early end before it is public.
  actions['end in our name'] = (_, { id }) => rpc('end_goal', id, 'Good Block told us to stop here.')
  expect(await act(writer, 'end in our name', goal)).toBe('invalid_field')
  // It does not wait longer than its member stays.
  await must(writer, 'update in our name', goal)
  await must(writer, 'update', goal)
  expect(await shown()).toHaveLength(2)
  expect(await backend.sql('select from private.waiting_updates')).toHaveLength(1)
  await backend.sql('delete from auth.users where id = $1', [goal.member])
  expect(await backend.sql('select from private.waiting_updates')).toEqual([])
})

test('a goal whose text is hidden shows no update', async () => {
  const goal = await newGoal()
  await stages.open(goal)
  await must(member(goal.member), 'update', goal)
  const shown = async () =>
    (await backend.sql('select number from public.published_updates where pool_slug = $1', [goal.slug]))
      .length
  expect(await shown()).toBe(1)
  await backend.sql(`select private.move_goal($1, 'open', 'operator', true, true)`, [goal.id])
  expect(await shown()).toBe(0)
  await backend.sql(`select private.move_goal($1, 'open', 'operator')`, [goal.id])
  expect(await shown()).toBe(1)
})

test('a false proof takes no wallet from its owner, and the first verified proof has it', async () => {
  const goal = await newGoal()
  const thief = { ...(await newGoal()), wallet: goal.wallet }
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('9', 130))`,
    [thief.member, goal.wallet],
  )
  await backend.sql('update public.goals set wallet = $2 where id = $1', [thief.id, goal.wallet])
  await must(member(thief.member), 'submit', thief)
  await must(member(goal.member), 'submit', goal)
  await check(thief, { proven: false })
  await check(goal)
  expect(await read('stage, fault', thief)).toEqual({ stage: 'returned', fault: 'proof' })
  expect(await read('stage, fault', goal)).toEqual({ stage: 'submitted', fault: null })
  // The owner of the wallet proves it for two members: the second one learns it from the check.
  await must(member(thief.member), 'submit', thief)
  await check(thief)
  expect(await read('stage, fault', thief)).toEqual({ stage: 'returned', fault: 'used' })
})

test('a complaint that came after the draft of a dismissal is not dismissed with it', async () => {
  const goal = await newGoal()
  await stages.open(goal)
  await backend.sql('update public.goal_complaints set closed_at = now(), outcome = $2 where goal = $1', [
    (goal as Goal).id,
    'dismissed',
  ])
  const [first, second] = [await newMember(), await newMember()]
  await must(member(first), 'complain', goal)
  const version = async () =>
    (
      await backend.sql<{ version: number }>(
        `select private.version_of('complaint-dismissal', $1) as version`,
        [goal.slug],
      )
    )[0]?.version
  const before = await version()
  await backend.sql('delete from auth.users where id = $1', [first])
  await must(member(second), 'complain', goal)
  expect(await version()).not.toBe(before)
})

test('a goal keeps the texts of its last two submissions, and a member submits at most 20 times a day', async () => {
  const goal = await newGoal()
  const outcomes: string[] = []
  for (let round = 0; round < 21; round++) {
    outcomes.push(await act(member(goal.member), 'submit', goal))
    await act(member(goal.member), 'take back', goal)
  }
  expect(outcomes).toEqual([...Array(20).fill('ok'), 'too_many'])
  const [kept] = await backend.sql(
    `select count(texts)::int as texts from private.goal_moves where goal = $1`,
    [goal.id],
  )
  expect(kept).toEqual({ texts: 2 })
})

test('drafts, goals and complaints are limited in number', async () => {
  const goal = await newGoal()
  await backend.sql(`insert into public.goals (member, title) select $1, 'Two' from generate_series(1, 2)`, [
    goal.member,
  ])
  await expect(backend.sql('insert into public.goals (member) values ($1)', [goal.member])).rejects.toThrow(
    'too_many_drafts',
  )
  await backend.sql(`delete from public.goals where member = $1 and title = 'Two'`, [goal.member])

  await stages.submitted(goal)
  const second = { ...goal, id: randomUUID(), wallet: `0x${'c'.repeat(40)}` }
  await backend.sql(
    `insert into public.goals (id, member, title, byline, category, target_usd, days, plan, story, wallet)
     select $1, member, title, byline, category, target_usd, days, plan, story, $2 from public.goals where id = $3`,
    [second.id, second.wallet, goal.id],
  )
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('9', 130))`,
    [goal.member, second.wallet],
  )
  expect(await act(member(goal.member), 'submit', second)).toBe('in_the_way')

  const angry = member(await newMember())
  const about = ['open', 'open, frozen', 'ended', 'ended, frozen', 'ended, reported', 'completed'] as const
  const outcomes: string[] = []
  for (const stage of about) outcomes.push(await act(angry, 'complain', goals.get(stage) as Goal))
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'too_many'])
  expect(await act(angry, 'complain', goals.get('open') as Goal)).toBe('exists')

  const open = goals.get('ended') as Goal
  const updates: string[] = []
  for (let number = 0; number < 4; number++) updates.push(await act(member(open.member), 'update', open))
  expect(updates).toEqual(['ok', 'ok', 'ok', 'too_many'])
})

test('a goal is approved only after the check of its wallet, and is returned if the wallet fails the check', async () => {
  const goal = await newGoal()
  await stages.submitted(goal)
  const age = (time: string) =>
    backend.sql(`update private.goal_checks set checked_at = now() - $2::interval where goal = $1`, [
      goal.id,
      time,
    ])
  await age('25 hours')
  expect(await act(operator('ada'), 'goal-approval', goal)).toBe('unchecked')
  const [due] = await backend.sql<{ due: { goal: string }[] }>('select public.goals_to_check() as due')
  expect(due?.due).toEqual(
    expect.arrayContaining([expect.objectContaining({ goal: goal.id, message: 'a message' })]),
  )
  await check(goal, { holds: [{ symbol: 'USDT', amount: '1' }] })
  expect(await read('stage, fault', goal)).toEqual({ stage: 'returned', fault: 'holds' })
  expect(await act(operator('ada'), 'goal-approval', goal)).toBe('stage')
})

test('an operator cannot decide on their own goal, as the first or as the second operator', async () => {
  const goal = await newGoal()
  await stages.submitted(goal)
  await backend.sql('alter table public.goals disable trigger keep_goal')
  await backend.sql('update public.goals set member = $2 where id = $1', [goal.id, operators.ada])
  await backend.sql('alter table public.goals enable trigger keep_goal')
  for (const kind of ['goal-approval', 'goal-return', 'goal-rejection'])
    expect([kind, await act(operator('ada'), kind, goal)]).toEqual([kind, 'own_goal'])
  // Bob proposes the approval, which Ada would have to confirm. The goal belongs to Ada.
  expect(await act(operator('bob'), 'goal-approval', goal)).toBe('own_goal')
  expect(await act(operator('bob'), 'goal-return', goal)).toBe('ok')
})

test('the deletion of an account deletes the goals that were never public, and ends the open goals', async () => {
  const left: Record<string, unknown> = {}
  for (const stage of Object.keys(stages) as Stage[]) {
    const goal = await newGoal()
    await stages[stage](goal)
    await backend.sql('delete from auth.users where id = $1', [goal.member])
    const state = await expectAgreement(goal)
    const [kept] = await backend.sql<{ by: string; member: string | null }>(
      'select ended_by as by, member from public.goals where id = $1',
      [goal.id],
    )
    left[stage] = state ? [state.stage, kept?.by, kept?.member] : 'deleted'
  }
  expect(left).toEqual({
    ...{ draft: 'deleted', submitted: 'deleted', returned: 'deleted', rejected: 'deleted' },
    open: ['ended', 'deletion', null],
    'open, frozen': ['ended', 'deletion', null],
    ended: ['ended', 'member', null],
    'ended, frozen': ['ended', 'member', null],
    'ended, reported': ['ended', 'member', null],
    completed: ['completed', 'member', null],
    annulled: ['annulled', null, null],
  })
})

test('the member who owns a goal gets an email about each event, and the followers of the goal get its updates', async () => {
  const goal = await newGoal()
  const told = async () => {
    await backend.sql('select public.prepare_mails()')
    const found: unknown[] = []
    for (;;) {
      const [row] = await backend.sql<{
        batch: {
          mails: { address: string; language: string; fact_id: number; titles: object; is_own: boolean }[]
          facts: Record<string, { content: { event?: string; reason?: string } }>
          more: boolean
        }
      }>(`select public.next_mails('[]', 2) as batch`)
      await backend.sql(
        `update private.mails set state = 'sent', claimed_at = null where claimed_at is not null`,
      )
      for (const { address, language, fact_id, titles, is_own } of row?.batch.mails ?? []) {
        const { event = 'update', reason: why } = row?.batch.facts[fact_id]?.content ?? {}
        found.push([address, language, event, why ?? titles, is_own])
      }
      if (!row?.batch.more) return found
    }
  }
  await backend.sql('delete from private.outbox where true')
  await backend.sql(
    `update auth.users set email_confirmed_at = now(), raw_user_meta_data = '{"lang": "es"}' where id = $1`,
    [goal.member],
  )
  const own = `${goal.member}@example.org`
  const title = { [goal.slug]: 'School coats' }

  await stages.returned(goal)
  expect(await told()).toEqual([[own, 'es', 'returned', reason, true]])
  await stages.submitted(goal)
  await must(operator('ada'), 'goal-approval', goal)
  title[goal.slug] = 'School coats'
  delete title['goal-zzzzzzzz']
  expect(await told()).toEqual([[own, 'es', 'open', title, true]])

  await backend.sql(`select private.add_topic('reader@example.org', $1, 'en')`, [goal.slug])
  await must(member(goal.member), 'update', goal)
  expect(await told()).toEqual([])
  await backend.sql('begin')
  await become(operator('ada'))
  const [overview] = await backend.sql<{ slugs: string[] }>(
    `select jsonb_path_query_array(public.goals_overview(), '$.updates.items[*].slug') as slugs`,
  )
  await backend.sql('rollback')
  expect(overview?.slugs).toEqual([goal.slug])
  await passTime(backend, '1 hour')
  expect(await told()).toEqual([['reader@example.org', 'en', 'update', title, false]])
  // Operators freeze the goal within the hour.
  await must(member(goal.member), 'update', goal)
  await must(operator('ada'), 'goal-freeze', goal)
  await passTime(backend, '1 hour')
  expect(await told()).toEqual([])
  await must(operator('ada'), 'goal-release', goal)

  const gift = { type: 'goal-gift', direction: 'in', account: goal.slug, pool_slug: goal.slug }
  const give = async () => {
    const row = transaction({ ...gift, to_address: goal.wallet, occurred_at: new Date().toISOString() })
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    const [added] = await backend.sql<{ id: string }>('select max(id) as id from public.transactions')
    const result = { transaction_id: added?.id, status: 'verified', block_number: 9, confirmations: 20 }
    await backend.sql('select public.record_checks($1)', [
      JSON.stringify([{ ...result, block_hash: `0x${'9'.repeat(64)}` }]),
    ])
  }
  await give()
  expect(await told()).toEqual([[own, 'es', 'gift', title, true]])
  await give()
  expect(await told()).toEqual([])

  await must(member(goal.member), 'end', goal)
  expect(await told()).toEqual([[own, 'es', 'ended', title, true]])
  for (const [days, event] of [
    [77, 'report-due'],
    [91, 'report-overdue'],
  ] as const) {
    await backend.sql(`update public.goals set ended_at = now() - make_interval(days => $2) where id = $1`, [
      goal.id,
      days,
    ])
    expect(await told()).toEqual([[own, 'es', event, title, true]])
    expect(await told()).toEqual([])
  }
})

test('our payment to a goal that is not yet approved becomes a dream once the blocks since the check have been read', async () => {
  const goal = await newGoal()
  await stages.submitted(goal)
  const payment = transaction({ type: 'other', direction: 'out', amount_usd: 40, to_address: goal.wallet })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([payment])])
  await must(operator('ada'), 'goal-approval', goal)
  for (const [next, found] of [
    [12, [['other', 0]]],
    [
      null,
      [
        ['other', 0],
        ['dream', 1],
      ],
    ],
  ] as const) {
    await backend.sql('select public.goal_was_read($1, $2)', [goal.slug, next])
    const rows = await backend.sql<{ type: string; revision: number }>(
      'select type, revision from public.transactions where to_address = $1 order by revision',
      [goal.wallet],
    )
    expect(rows.map(({ type, revision }) => [type, revision])).toEqual(found)
  }
})

test('the totals of the ledger exclude gifts to a goal, and the goal counts them with its dreams', async () => {
  const draw = drawFrom(seed + 1)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(draw() * items.length)] as Item
  const filters = [
    ...[{}, { pool: 'education' }, { pool: 'none' }, { party: 'treasury' }, { direction: 'in' }],
    ...[{ type: 'gift' }, { from: '2024-03-10', to: '2025-02-20' }],
  ]
  /** Every total that existed before goals, and the dollar sums of the history by filter, month and use. */
  const totals = async () => {
    const [row] = await backend.sql<Record<string, unknown>>(
      `select (select to_jsonb(t) from public.ledger_totals t) as totals,
         (select jsonb_agg(p order by slug) from public.pool_totals p) as pools,
         (select jsonb_agg(m order by month) from public.ledger_months m) as months,
         (
           select jsonb_agg(jsonb_build_array(
             place, sums -> 'received_usd', sums -> 'moved_usd', sums -> 'paid_usd', sums -> 'uses', (
               select jsonb_agg(month - '{count,checked_count}'::text[])
               from jsonb_array_elements(sums -> 'months') as month
               where (month ->> 'received_usd')::numeric + (month ->> 'paid_usd')::numeric > 0
             )
           ) order by place)
           from jsonb_array_elements($1) with ordinality as filters (filter, place),
             public.sum_transactions(filter) as sums
         ) as sums`,
      [JSON.stringify(filters)],
    )
    return row
  }
  const goalCount = async () => {
    const [row] = await backend.sql<{ listed: number; count: number }>(
      `select (public.sum_transactions('{}') ->> 'goal_count')::int as count,
         (select count(*) from public.published_transactions where type = 'goal-gift')::int as listed`,
    )
    return row
  }
  const append = async (row: object, status: string) => {
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    const [added] = await backend.sql<{ id: string }>('select max(id) as id from public.transactions')
    await backend.sql('select public.record_checks($1)', [
      JSON.stringify([
        status === 'reorganised'
          ? { transaction_id: added?.id, status, reason: 'It is gone.' }
          : {
              ...{ transaction_id: added?.id, status, block_number: 9, confirmations: 20 },
              block_hash: `0x${'9'.repeat(64)}`,
            },
      ]),
    ])
  }
  const statuses = ['verified', 'verified', 'pending', 'reorganised'] as const
  const expected = new Map<string, { cents: number; gifts: number; count: number; unvalued: number }>()
  const shown = ['open', 'open, frozen', 'ended', 'completed', 'annulled'] as const
  let before = await totals()
  for (let step = 0; step < transfers; step++) {
    const goal = goals.get(pick(shown)) as Goal
    const status = pick(statuses)
    const cents = draw() < 0.2 ? null : Math.floor(draw() * 100_000)
    const isDream = draw() < 0.2
    const isOurs = draw() < 0.3
    const facts = {
      ...{ amount_usd: cents === null ? null : cents / 100, ...(cents === null && { rate_source: null }) },
      occurred_at: new Date(Date.UTC(2024, 0, 1) + Math.floor(draw() * 600) * 86_400_000).toISOString(),
    }
    if (isOurs) await append(transaction({ ...facts, ...pick(ours) }), status)
    else if (isDream)
      await append(
        transaction({
          ...facts,
          ...(draw() < 0.5
            ? { type: 'dream' }
            : { type: 'spending', account: 'education', pool_slug: 'education' }),
          ...{ direction: 'out', to_address: goal.wallet },
        }),
        status,
      )
    else
      await append(
        transaction({
          ...{ ...facts, type: 'goal-gift', direction: 'in', account: goal.slug, pool_slug: goal.slug },
          to_address: goal.wallet,
        }),
        status,
      )
    const after = await totals()
    if (!isOurs && !isDream) expect([step, after]).toEqual([step, before])
    before = after
    const { treasury_usd, waiting_usd, received_usd, paid_usd } = { ...(after?.totals as Figures) }
    expect([step, inCents(treasury_usd) + inCents(waiting_usd)]).toEqual([
      step,
      inCents(received_usd) - inCents(paid_usd),
    ])
    if (isOurs || status !== 'verified') continue
    const sum = expected.get(goal.slug) ?? { cents: 0, gifts: 0, count: 0, unvalued: 0 }
    expected.set(goal.slug, {
      ...{ cents: sum.cents + (cents ?? 0), count: sum.count + 1 },
      gifts: sum.gifts + (isDream ? 0 : (cents ?? 0)),
      unvalued: sum.unvalued + (cents === null ? 1 : 0),
    })
  }
  for (const [slug, { cents, gifts, count, unvalued }] of expected) {
    const [published] = await backend.sql(
      `select (received_usd * 100)::int as cents, verified_count::int as count, unvalued_count::int as unvalued
       from public.published_goals where slug = $1`,
      [slug],
    )
    expect([slug, published]).toEqual([slug, { cents, count, unvalued }])
    const [rows] = await backend.sql<{ cents: number }>(
      `select coalesce(sum(amount_usd) filter (where status = 'verified') * 100, 0)::int as cents
       from public.published_goal_rows where goal = $1`,
      [slug],
    )
    expect([slug, rows?.cents]).toEqual([slug, cents])
    const [sums] = await backend.sql<{ gifts: number }>(
      `select ((public.sum_transactions(jsonb_build_object('pool', $1::text)) ->> 'received_usd')::numeric * 100)::int as gifts`,
      [slug],
    )
    expect([slug, sums?.gifts]).toEqual([slug, gifts])
  }
  const counted = await goalCount()
  expect(counted?.listed).toBeGreaterThan(0)
  expect(counted?.count).toBe(counted?.listed)
  const goal = goals.get('open') as Goal
  const [published] = await backend.sql('select title, plan from public.published_goals where slug = $1', [
    goal.slug,
  ])
  expect(published).toEqual({ title: 'School coats', plan: '100.00 Coats\n50.50 Shoes' })
  const gift = { type: 'goal-gift', direction: 'in', account: goal.slug, pool_slug: goal.slug }
  const wrong = [
    { ...gift, type: 'gift' },
    { ...gift, account: 'education', pool_slug: 'education' },
    { ...gift, direction: 'out' },
  ]
  for (const row of wrong)
    await expect(
      backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction(row)])]),
    ).rejects.toThrow('violates check constraint')
})

type Figures = Record<string, number>
const inCents = (usd: number | undefined) => Math.round(Number(usd) * 100)

/** Transfers that do not concern goals. */
const ours = [
  { type: 'gift', direction: 'in' },
  { type: 'tax', direction: 'in' },
  { type: 'cost', direction: 'out' },
  { type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
] as const

test(`stage, status and log agree after each step of ${walks} random walks`, async () => {
  const draw = drawFrom(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(draw() * items.length)] as Item
  const names = [...Object.keys(actions), 'check', 'schedule']
  /** The steps that change something in a stage. */
  const useful = (stage: Stage) => [
    ...Object.keys(model).filter((action) => expected('operator', action, stage) === 'ok'),
    ...own.filter((action) => expected('member', action, stage) === 'ok'),
    ...(stage === 'submitted' ? Array(4).fill(['check', 'goal-approval']).flat() : []),
    ...(stage.startsWith('open') ? ['schedule'] : []),
  ]
  const reached: Partial<Record<Stage, number>> = {}
  for (let walk = 0; walk < walks; walk++) {
    const goal = await newGoal()
    let stage: Stage = 'draft'
    for (let step = 0; step < 12; step++) {
      // If all steps are drawn from all actions, they seldom lead beyond the first stages.
      const steps = draw() < 0.6 ? useful(stage) : []
      const action = pick(steps.length > 0 ? steps : names)
      if (action === 'check') await check(goal, pick([{}, {}, {}, { nonce: 1 }]))
      else if (action === 'schedule') await endByTime(goal)
      else
        await act(
          own.includes(action)
            ? member(goal.member)
            : action === 'complain'
              ? member(await newMember())
              : operator('ada'),
          action,
          goal,
        )
      const state = await expectAgreement(goal)
      if (!state) break
      stage = stageOf(state)
      reached[stage] = (reached[stage] ?? 0) + 1
      goal.slug = (await read<{ slug: string | null }>('slug', goal)).slug ?? goal.slug
    }
    // No goal can be approved while 200 goals are open.
    await endByTime(goal)
  }
  console.log(`steps of ${walks} walks, seed ${seed}, by stage:`, reached)
  if (deep) expect(Object.keys(reached).toSorted()).toEqual(Object.keys(stages).toSorted())
}, 3_600_000)
