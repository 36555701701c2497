import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../app/platform/server/database.types.ts'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedData } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { transaction } from '../support/temporary-backend.ts'

const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? 20261123)
const kills = deep ? 30 : 1
const callers = 6
/** The number of calls that receive a response before the process is killed. */
const callsPerRound = deep ? 150 : 30

const folder = await migratedData()
const { databaseUrl } = folder
const spawnBackend = () => spawnEmbedded(folder.path, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
let child = spawnBackend()
afterAll(async () => {
  child.kill('SIGKILL')
  await child.exited
  await folder.remove()
})

type Client = SupabaseClient<Database>

async function connect(key: 'publishableKey' | 'secretKey', token?: string): Promise<Client> {
  const url = await child.ready
  return createClient<Database>(url, readKeys(folder.path)[key], {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token && { accessToken: async () => token }),
  })
}

/** Creates a member with a second factor. The handles of this member begin with `name`. */
async function join(name: string): Promise<{ name: string; token: string }> {
  const client = await connect('publishableKey')
  const email = `${name}@example.org`
  const { error } = await client.auth.signUp({ email, password: 'correct horse' })
  if (error) throw error
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  const code = new TOTP({ secret: factor?.totp.secret }).generate()
  const { data } = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
  return { name, token: data?.access_token ?? '' }
}

interface Entry {
  kind: string
  id: number
  revision?: number
  rate_source?: string
  act?: string
  by?: string | null
  second?: string | null
  made?: { kind: string; id: number } | null
}

const link = 'https://example.org/said'
const statement = (text: string) => ({
  ...{ link, text, author: 'CZ', posted: '2025-03-01T12:00:00Z', action: 'A gift' },
})

test(
  `with ${callers} concurrent operators and ${kills} kills, each effect has one act, each act has its effect, and each act that needs two people was made by two people`,
  async () => {
    const draw = drawFrom(seed)
    const below = (end: number) => Math.floor(draw() * end)
    const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item

    const rows = Array.from({ length: 12 }, (_, at) =>
      transaction({
        ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
        ...{ token_amount: '100', token_decimals: 0, token_symbol: 'T', note: `Note ${at}` },
      }),
    )
    const key = await connect('secretKey')
    await key.rpc('append_ledger', { entries: rows as never }).throwOnError()
    const { data: notes } = await key.from('published_texts').select('hash').order('id').throwOnError()
    const people = [await join('ada'), await join('bob'), await join('cleo')]
    let handles = 0
    const withKey = async (service: Client, kind: string, subject: string | null, values: object) => {
      const given = { kind, subject, arguments: values, reason: 'It is a test.' }
      return await service.rpc('act_with_key', given as never)
    }
    for (const { name } of people)
      expect(
        (await withKey(key, 'operator', null, { email: `${name}@example.org`, handle: `${name}-0` })).error,
      ).toBeNull()

    const known: { id: string; author: number }[] = []
    const answers: { id: string; state: string }[] = []
    const payment = () => `56/${pick(rows).tx_hash}/0`
    const newAct = (): [kind: string, subject: string | null, values: object, reason?: string] =>
      pick([
        () => ['statement', null, statement('One')] as never,
        () => ['statement', link, statement(`Again ${below(5)}`)] as never,
        () => ['confirmation', link, { how: 'I read it at its address.' }] as never,
        () => ['purpose', payment(), { type: 'spending', note: `Books ${below(5)}` }] as never,
        () => ['value', payment(), { rate: `${1 + below(5)}`, rate_source: 'An exchange' }] as never,
        () => ['value', payment(), { rate: `${1 + below(5)}`, rate_source: 'An exchange' }] as never,
        () => ['withdrawal', pick(notes ?? [])?.hash ?? '', {}, 'It names a person.'] as never,
        () =>
          ['name', null, { address: `0x${`${below(9)}`.repeat(40)}`, name: `Shop ${below(20)}` }] as never,
      ])()

    /** Makes one random call. Returns whether the backend responded. */
    async function call(clients: Client[], service: Client): Promise<boolean> {
      const at = below(clients.length)
      const operator = clients[at] as Client
      const chance = draw()
      if (chance < 0.02) {
        // An operator's role ends, and the person returns with a different handle.
        const { name } = pick(people)
        const { data } = await service.from('published_operators').select('handle').is('until', null)
        const handle = data?.find((each) => each.handle?.startsWith(name))?.handle
        if (handle) await withKey(service, 'operator-end', handle, {})
        const again = { email: `${name}@example.org`, handle: `${name}-${++handles}` }
        return !(await withKey(service, 'operator', null, again)).error
      }
      if (chance < 0.4 || known.length === 0) {
        const [kind, subject, values, reason] = newAct()
        const given = { act: null, kind, subject, arguments: values, reason: reason ?? null }
        const { data, error } = await operator.rpc('save_act', given as never)
        if (data) known.push({ id: (data as { id: string }).id, author: at })
        return Boolean(data) || error?.code === 'P0001'
      }
      const { id, author } = pick(draw() < 0.7 ? known.slice(-8) : known)
      const name = pick(['submit_act', 'submit_act', 'confirm_act', 'confirm_act', 'drop_act'] as const)
      // Usually the author submits the act; any operator may try to confirm or drop it.
      const caller = name === 'submit_act' && draw() < 0.8 ? (clients[author] as Client) : operator
      const { data, error } = await caller.rpc(name, { act: id })
      if (data) answers.push({ id, state: (data as { state: string }).state })
      return Boolean(data) || error?.code === 'P0001'
    }

    async function expectInvariants(service: Client): Promise<number> {
      const entries: Entry[] = []
      for (;;) {
        const { data } = await service
          .from('published_entries')
          .select('entry')
          .gte('index', entries.length)
          .order('index')
          .limit(500)
          .throwOnError()
        entries.push(...(data ?? []).map(({ entry }) => JSON.parse(entry as string)))
        if ((data ?? []).length < 500) break
      }
      const acts = entries.filter(({ kind }) => kind === 'act')
      expect(acts.map(({ id }) => id)).toEqual(acts.map((_, at) => at + 1))

      // An act follows the entry that it made, and each entry but the first rows was made by one act.
      const bare = entries.filter(({ kind }) => kind !== 'act').slice(rows.length)
      const made = entries.flatMap((entry, at) => {
        if (entry.kind !== 'act' || !entry.made) return []
        const { kind, id } = entries[at - 1] ?? {}
        expect([entry.act, entry.made]).toEqual([entry.act, { kind, id }])
        return [entry.made]
      })
      expect(made).toEqual(bare.map(({ kind, id }) => ({ kind, id })))

      const person = (handle?: string | null) => handle?.split('-')[0]
      for (const { act, by, second, made: its } of acts) {
        const needsTwo = act === 'name' || act === 'value' || act === 'withdrawal'
        if (needsTwo) {
          expect([by, second]).toEqual([expect.any(String), expect.any(String)])
          expect(person(by)).not.toBe(person(second))
        } else expect(second).toBeNull()
        if (act === 'confirmation') {
          // Someone else made the previous entry of the statement.
          const before = acts.filter(
            ({ made: other }) => other?.kind === 'statement' && other.id < (its?.id ?? 0),
          )
          expect(person(before.at(-1)?.by)).not.toBe(person(by))
        }
      }
      const stored: { id: string; state: string; number: number | null }[] = []
      for (;;) {
        const { data } = await service
          .from('operator_acts')
          .select('id, state, number')
          .order('id')
          .range(stored.length, stored.length + 499)
          .throwOnError()
        stored.push(...(data ?? []))
        if ((data ?? []).length < 500) break
      }
      const done = stored.filter(({ state }) => state === 'done')
      expect(done.map(({ number }) => number).toSorted((a, b) => Number(a) - Number(b))).toEqual(
        acts.map(({ id }) => id),
      )
      const states = new Map(stored.map(({ id, state }) => [id, state]))
      for (const { id, state } of answers)
        if (state !== 'waiting') expect([id, states.get(id)]).toEqual([id, state])
      return acts.length
    }

    let performed = 0
    for (let round = 0; round <= kills; round++) {
      const service = await connect('secretKey')
      const clients = await Promise.all(people.map(({ token }) => connect('publishableKey', token)))
      let isRunning = true
      let answered = 0
      const work = Array.from({ length: callers }, async () => {
        while (isRunning)
          if (await call(clients, service).catch(() => false)) answered++
          else await new Promise((resolve) => setTimeout(resolve, 5))
      })
      const isDone = () =>
        answered >= callsPerRound &&
        (round < kills || answers.filter(({ state }) => state === 'done').length > 20)
      while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
      if (round < kills) child.kill('SIGKILL')
      isRunning = false
      await Promise.all(work)
      if (round < kills) {
        await child.exited
        child = spawnBackend()
      }
      performed = await expectInvariants(await connect('secretKey'))
    }
    console.log(`acts: ${kills} kills, ${answers.length} moves, ${performed} acts, seed ${seed}`)
  },
  deep ? 1_200_000 : 120_000,
)
