import { createHash } from 'node:crypto'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'

type Backend = Pick<EmbeddedBackend, 'sql'>

/** The key of signed requests in the tests of the database. */
export const requestKey = '7'.repeat(64)

/** A request to follow, as the site signs it. */
export function signedRequest(address: string, topic: string, network = 'here') {
  const given = { address, topic, language: 'en', network, asked_at: Math.floor(Date.now() / 1000) }
  return { ...given, proof: proofOf(Object.values(given).join('\n')) }
}

/** The text that a key signed, as the site hands it to the database. */
export function signedCustody(given: object) {
  const signed = JSON.stringify(given)
  return { signed, proof: proofOf(`custody\n${signed}`) }
}

function proofOf(text: string): string {
  const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
  return sha256(Buffer.concat([Buffer.from(requestKey, 'hex'), sha256(text)])).toString('hex')
}

const times = {
  followers: ['kept_at', 'asked_at'],
  follower_topics: ['since'],
  follow_requests: ['requested_at', 'confirmed_at'],
  outbox: ['made_at', 'due_at', 'expanded_at'],
  mails: ['due_at', 'begun_at', 'claimed_at'],
  stopped_addresses: ['stopped_at'],
  mail_state: ['paused_until'],
}

const updates = Object.entries(times).map(([table, columns]) => {
  const changes = columns.map((column) => `${column} = ${column} - $1::interval`)
  return `${table} as (update private.${table} set ${changes} returning 1)`
})

/** Makes all stored times of followers and their emails earlier, as if time had passed. */
export async function passTime({ sql }: Backend, interval: string): Promise<void> {
  await sql(`with ${updates} select`, [interval])
}

/** Inserts followers of a topic, with the triggers off. */
export async function addFollowers({ sql }: Backend, count: number, topic: string): Promise<void> {
  await sql('set session_replication_role = replica')
  await sql(
    `with made as (
       insert into private.followers (address, token)
       select 'a' || n || '@example.org', n from generate_series(1, $1::integer) n returning id
     ) insert into private.follower_topics (follower_id, topic) select id, $2 from made`,
    [count, topic],
  )
  await sql('set session_replication_role = origin')
}

export interface ClaimedMail {
  id: number
  key: string
  address: string
  token: string
  topic: string
  is_request: boolean
  fact_id: number | null
  coming: { id: number }[]
}

export interface Claimed {
  mails: ClaimedMail[]
  facts: Record<string, { kind: string; topic: string; content: Record<string, unknown> }>
  more: boolean
}

/** Claims the next emails after a second, as a run of the job does. */
export async function claim(
  backend: Backend,
  results: { id: number; outcome: string; reason?: string }[] = [],
): Promise<Claimed> {
  await passTime(backend, '1 second')
  const [row] = await backend.sql<{ claimed: Claimed }>('select public.next_mails($1) as claimed', [
    JSON.stringify(results),
  ])
  return row?.claimed as Claimed
}

/** Claims all due emails as `sent`, and returns them in the order of the claims. */
export async function sendAll(backend: Backend): Promise<{ mails: ClaimedMail[]; facts: Claimed['facts'] }> {
  await backend.sql('select public.prepare_mails()')
  const mails: ClaimedMail[] = []
  let facts: Claimed['facts'] = {}
  for (let results: { id: number; outcome: string }[] = []; ; ) {
    const claimed = await claim(backend, results)
    mails.push(...claimed.mails)
    facts = { ...facts, ...claimed.facts }
    results = claimed.mails.map(({ id }) => ({ id, outcome: 'sent' }))
    if (claimed.mails.length === 0 && !claimed.more) return { mails, facts }
    // The limit of emails per minute is reached.
    if (claimed.mails.length === 0) await passTime(backend, '1 minute')
  }
}
