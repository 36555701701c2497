import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { addGoal } from '../support/goals.ts'
import { addOperator } from '../support/operators.ts'
import { impatient, type Site, startSite } from '../support/site.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'

/** A site with its own fault proxy in front of the shared backend. It has one fault at a time. */
export interface Lane {
  site: Site
  proxy: FaultProxy
  backend: EmbeddedBackend
}

const address = `0x${'a'.repeat(40)}`
/** With these variables /donate has its three steps and reads a price. */
const giving = { TREASURY_WALLET: address, CHAIN_TOKENS: `USDT:${address}:18:usd BNB:native:18:${address}` }
/** With these variables FundMe and voting are open. No request reads the chain. */
const open = {
  ...{ FUNDME_OPEN: '1', TOKEN_ADDRESS: address, CHAIN_START_BLOCK: '1' },
  CHAIN_RPC_URLS: 'https://rpc.example/none https://rpc.example/two',
}

export async function startLane(backend: EmbeddedBackend): Promise<Lane> {
  const proxy = await startFaultProxy(backend.url)
  const mail = { ...mailboxVariables(backend.mailUrl), SUPABASE_SECRET_KEY: backend.secretKey }
  const site = await startSite(
    { url: proxy.url, publishableKey: backend.publishableKey },
    { ...impatient, ...giving, ...mail, ...open },
  )
  return { site, proxy, backend }
}

export async function closeLane({ site, proxy }: Lane): Promise<void> {
  await site.close()
  await proxy.close()
}

/** A member who signed up without the proxy. */
export type Member = Awaited<ReturnType<typeof newMember>>

let members = 0

export async function newMember({ backend, site }: Lane) {
  members++
  const email = `fault-${members}@example.com`
  const password = `a secret of member ${members}`
  const { auth } = createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { data } = await auth.signUp({ email, password, options: { data: { username: 'A member' } } })
  if (!data.session) throw new Error(`${email} could not sign up`)
  const visitor = new Visitor(site.url).carry(sessionCookie, data.session)
  return { id: data.session.user.id, email, password, auth, session: data.session, visitor }
}

/** Returns the code and the token of the newest email to an email address. */
export async function readMail({ backend }: Lane, address: string) {
  const all = (await (await fetch(`${backend.mailUrl}/messages.json`)).json()) as {
    to: string
    text: string
  }[]
  const { text } = all.find(({ to }) => to === address) ?? { text: '' }
  return { code: /^\d{6}$/m.exec(text)?.[0] ?? '', token: /token_hash=(\w+)/.exec(text)?.[1] ?? '' }
}

/** Adds a post that waits for an operator. */
export async function aPost({ backend }: Lane, id: number): Promise<void> {
  await backend.sql(
    `insert into private.statement_posts (id, key, source, state, url, author, posted_at)
     overriding system value
     values ($1::bigint, lpad($1::bigint::text, 64, '0'), 'https://feed.example/', 'open', 'https://feed.example/post', 'A', now())
     on conflict do nothing`,
    [id],
  )
}

/** The slug of the matrix's open goal. */
export const publicGoal = 'goal-bcdfghjk'

/** Adds a submitted goal of a new member, with this slug. */
export async function aGoal(lane: Lane, slug: string): Promise<void> {
  const { id } = await newMember(lane)
  await lane.backend.sql(
    `insert into public.goals
       (member, stage, revision, slug, title, byline, category, target_usd, days, plan, story, wallet, submitted_at)
     values ($1, 'submitted', 1, $2, 'Coats', 'A school', 'School', 100, 7, '[{"amount": "100", "what": "Coats"}]',
       repeat('It is cold. ', 5), '0x' || left(md5($2) || md5($2), 40), now())
     on conflict do nothing`,
    [id, slug],
  )
}

/** Adds a goal of this member in the given stage. Returns the goal's id. */
export async function ownGoal(
  { backend }: Lane,
  member: string,
  stage: 'draft' | 'submitted' | 'open',
): Promise<string> {
  if (stage === 'open') return (await addGoal(backend, { member })).id
  const id = randomUUID()
  await backend.sql(
    'insert into public.goals (id, member, stage, slug, submitted_at) values ($1, $2, $3, $4, $5)',
    [
      ...[id, member, stage],
      stage === 'draft'
        ? null
        : `goal-${id
            .replace(/[^a-f]/g, '')
            .padEnd(8, 'z')
            .slice(0, 8)}`,
      stage === 'draft' ? null : new Date().toISOString(),
    ],
  )
  return id
}

const operators = new WeakMap<Lane, Promise<Operator>[]>()
type Operator = Awaited<ReturnType<typeof addOperator>> & { handle: string; visitor: Visitor }
let handles = 0

/** Returns a lane's two operators, who were added without the proxy. */
export function operatorsOf(lane: Lane): Promise<Operator[]> {
  const both = operators.get(lane) ?? [addNew(lane), addNew(lane)]
  operators.set(lane, both)
  return Promise.all(both)
}

/**
 * Gives a lane two new operators at the next use. An operator may have at most 50 drafts, and may act only
 * for ten minutes after entering the code of the second factor.
 */
export function replaceOperators(lane: Lane): void {
  operators.delete(lane)
}

async function addNew({ backend, site }: Lane): Promise<Operator> {
  const handle = `operator-${++handles}`
  const account = await addOperator(backend, handle)
  const { data } = await account.client.auth.getSession()
  return { ...account, handle, visitor: new Visitor(site.url).carry(sessionCookie, data.session ?? {}) }
}
