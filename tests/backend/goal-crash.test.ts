import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../app/platform/server/database.types.ts'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'

const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? 20261123)
const kills = deep ? 200 : 1
/** The number of steps before the process is killed. */
const stepsPerRound = deep ? 6 : 30

const folder = await migratedDataDir()
let child = spawnEmbedded(folder.path)
afterAll(async () => {
  child.kill('SIGKILL')
  await child.exited
  folder.remove()
})

type Client = SupabaseClient<Database>

async function connect(key: 'publishableKey' | 'secretKey', token?: string): Promise<Client> {
  return createClient<Database>(await child.ready, readKeys(folder.path)[key], {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token && { accessToken: async () => token }),
  })
}

interface Member {
  id: string
  token: string
  /** The goal on which the member works, and the number of its last acknowledged step. */
  goal: { id: string; wallet: string; done: number }
}

async function newMember(name: string): Promise<Member> {
  const client = await connect('publishableKey')
  const { data } = await client.auth.signUp({ email: `${name}@example.org`, password: 'correct horse' })
  return { id: data.user?.id ?? '', token: data.session?.access_token ?? '', goal: newGoal() }
}

let wallets = 0
const newGoal = () => ({
  ...{ id: randomUUID(), done: 0, wallet: `0x${(++wallets).toString(16).padStart(40, '0')}` },
})
const reason = 'It is a test of kills.'
const story = 'It is cold in our school. '.repeat(4)

/** All steps of a goal, from draft to accepted report, by member, scheduled work and operators. */
const steps: ((
  goal: Member['goal'],
  member: Member,
  own: Client,
  key: Client,
) => PromiseLike<{ error: unknown }>)[] = [
  ({ wallet }, { id }, own) =>
    own
      .from('proven_wallets')
      .upsert(
        { user_id: id, address: wallet, message: 'm', signature: `0x${'9'.repeat(130)}` },
        { ignoreDuplicates: true },
      ),
  ({ id, wallet }, { id: member }, own) =>
    own.from('goals').insert({
      ...{ id, member, wallet, title: 'Coats', byline: 'A school', category: 'School', days: 7, story },
      ...{ target_usd: 100, plan: [{ amount: '100', what: 'Coats' }] },
    }),
  ({ id }, _, own) => own.rpc('submit_goal', { goal: id, version: 0 }),
  ({ id }, _, __, key) =>
    key.rpc('record_goal_check', {
      goal: id,
      result: {
        ...{ revision: 1, proven: true, ours: false, block_number: 9, block_hash: `0x${'9'.repeat(64)}` },
        ...{ nonce: 0, holds: [] },
      },
    }),
  (goal, _, __, key) => decide(key, 'goal-approval', goal),
  (goal, _, __, key) => decide(key, 'goal-freeze', goal),
  (goal, _, __, key) => decide(key, 'goal-release', goal),
  ({ id }, _, own) => own.rpc('end_goal', { goal: id, reason }),
  ({ id }, _, own) =>
    own.rpc('post_goal_update', {
      ...{ goal: id, words: 'All is bought.', links: '', picture: null as never, is_report: true },
    }),
  (goal, _, __, key) => decide(key, 'goal-report', goal),
]

async function decide(key: Client, kind: string, { id }: Member['goal']) {
  const { data } = await key.from('goals').select('slug').eq('id', id).single()
  return await key.rpc('act_with_key', {
    ...{ kind, subject: data?.slug ?? '', arguments: {}, reason },
  } as never)
}

interface State {
  slug: string | null
  stage: string
  status: string | null
  frozen: boolean
  report_number: number | null
}

/** How many steps a stored goal has been through. The check leaves no trace, so it is repeated. */
function stepsOf(goal: State, changes: number): number {
  if (goal.stage === 'draft') return 2
  if (goal.stage === 'submitted') return 3
  if (goal.stage === 'completed') return 10
  return goal.report_number === null ? 4 + changes : 9
}

test(
  `after ${kills} kills while goals change stage, each acknowledged step is kept, and the stages, statuses, log and acts agree`,
  async () => {
    const draw = drawFrom(seed)
    const members = [await newMember('a'), await newMember('b'), await newMember('c')]
    let done = 0

    async function work(member: Member, isRunning: () => boolean) {
      const own = await connect('publishableKey', member.token)
      const key = await connect('secretKey')
      while (isRunning()) {
        const { goal } = member
        const step = steps[goal.done]
        if (!step) {
          // A member has at most ten proven wallets.
          const { error } = await own.from('proven_wallets').delete().eq('address', goal.wallet)
          if (error) return error
          member.goal = newGoal()
          continue
        }
        const { error } = await step(goal, member, own, key)
        if (error) return error
        goal.done++
        done++
      }
    }

    async function agree(member: Member) {
      const key = await connect('secretKey')
      const { data: found } = await key.from('goals').select('*').eq('id', member.goal.id).throwOnError()
      const [goal] = (found ?? []) as State[]
      if (!goal) {
        expect(member.goal.done, 'a step that was kept').toBeLessThanOrEqual(1)
        member.goal.done = 0
        return
      }
      const { data: changes } = await key
        .from('published_goal_changes')
        .select('stage,frozen,revision,log_index')
        .eq('slug', goal.slug ?? '')
        .order('revision', { ascending: false })
        .throwOnError()
      const { data: acts } = await key
        .from('published_acts')
        .select('act')
        .eq('subject', goal.slug ?? '')
        .throwOnError()
      const [newest] = changes ?? []
      expect(goal.status).toBe(goal.stage === 'open' ? 'active' : goal.stage)
      expect(changes?.every(({ log_index }) => log_index !== null)).toBe(true)
      const isPublic = ['open', 'ended', 'completed'].includes(goal.stage)
      expect(newest && { stage: newest.stage, frozen: newest.frozen }).toEqual(
        isPublic ? { stage: goal.stage, frozen: goal.frozen } : undefined,
      )
      // The member ends the goal; operators make every other public change with an act.
      const ended = changes?.filter(({ stage }) => stage === 'ended').length ?? 0
      expect(acts).toHaveLength((changes?.length ?? 0) - ended)
      const kept = stepsOf(goal, changes?.length ?? 0)
      expect(kept === 3 ? 4 : kept, 'a step that was kept').toBeGreaterThanOrEqual(member.goal.done)
      member.goal.done = kept
    }

    for (let round = 0; round < kills; round++) {
      let running = true
      const before = done
      let failures: unknown[] | undefined
      const working = Promise.all(
        members.map((member) => work(member, () => running).catch((error: unknown) => error)),
      )
      working.then((errors) => {
        failures = errors
      })
      while (done < before + stepsPerRound && !failures) await sleep(1)
      expect(failures, 'errors before the kill').toBeUndefined()
      await sleep(draw() * 25)
      child.kill('SIGKILL')
      running = false
      await working
      expect(await child.exited).toBe('SIGKILL')
      child = spawnEmbedded(folder.path)
      await child.ready
      for (const member of members) await agree(member)
    }
    console.log(`goals: ${kills} kills, ${done} acknowledged steps, seed ${seed}`)
    expect(done).toBeGreaterThanOrEqual(kills * stepsPerRound)
  },
  deep ? 3_600_000 : 300_000,
)
