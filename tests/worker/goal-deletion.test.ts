import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/data-folder.ts'
import { addGoal, openVariables } from '../support/goals.ts'
import { act } from '../support/operators.ts'
import { startPictures, startSite, warmUp } from '../support/site.ts'
import { signUp, startTemporary } from '../support/temporary-backend.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
await warmUp(backend)
await startPictures(backend)
const { secretKey: SUPABASE_SECRET_KEY, logKey: LOG_KEY } = backend
const variables = { ...openVariables, SUPABASE_SECRET_KEY, LOG_KEY }
const site = await startSite(backend, variables)
afterAll(() => site.close())
/** A site on the same backend without a page cache. */
const uncached = await startSite(backend, { ...variables, PAGE_CACHE: 'off' })
afterAll(() => uncached.close())

type Client = Awaited<ReturnType<typeof signUp>>['client']

interface Member {
  id: string
  goal: string
  slug: string
  client: Client
  visitor: Visitor
  /** Texts that no table, page or file may contain after the deletion. */
  own: string[]
  /** Texts that stay if the goal was public. */
  published: string[]
}

const picture = new File([readFileSync('public/icon-192.png')], 'coats.png', { type: 'image/png' })
let members = 0

/** A member with a complaint about the goal `other`, and a draft whose picture was saved. */
async function newMember(other: string): Promise<Member> {
  const mark = `mark${String.fromCharCode(97 + members++)}q`
  const email = `${mark}@example.org`
  const { client, id } = await signUp(backend, email, `Name of ${mark}`)
  const { data } = await client.auth.getSession()
  const visitor = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const address = `0x${members.toString(16).padStart(40, 'e')}`
  const message = `Proof by ${mark}`
  const proof = { user_id: id, address, message, signature: `0x${'9'.repeat(130)}` }
  await client.from('proven_wallets').insert(proof).throwOnError()
  const words = `This story was written by ${mark}, and many children need a coat.`
  const complaint = `Complaint by ${mark}`
  await client.rpc('complain', { goal: other, reason: 'scam', words: complaint }).throwOnError()
  const goal = randomUUID()
  const form = new FormData()
  const fields = {
    ...{ member: id, version: '', title: `Title ${mark}`, byline: `School ${mark}`, category: 'School' },
    ...{ target: '100', days: '7', plan: `100, coats ${mark}`, story: words, wallet: address },
    ...{ links: `https://example.org/${mark}`, picture_text: `Picture ${mark}` },
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('picture', picture)
  const saved = await visitor.send(`/dashboard/goals/${goal}?new`, {
    ...{ method: 'POST', body: form, headers: { Accept: 'text/html', Origin: site.url } },
  })
  expect(saved.status).toBe(303)
  const own = [id, email, `Name of ${mark}`, message, complaint, `Reason for ${mark}`]
  return { id, goal, slug: '', client, visitor, own, published: [goal, address, words, `Title ${mark}`] }
}

const reasonFor = ({ own }: Member) => own.at(-1) ?? ''
const decide = (member: Member, kind: string, reason: string | null = null) =>
  act(backend, kind, member.slug, {}, reason)

const stages = {
  draft: async (_member: Member) => {},
  submitted: async (member: Member) => {
    const [row] = await backend.sql<{ version: number }>(
      'select version::integer from public.goals where id = $1',
      [member.goal],
    )
    const sent = { goal: member.goal, version: row?.version ?? 0 }
    const { data } = await member.client.rpc('submit_goal', sent).throwOnError()
    member.slug = (data as { slug: string }).slug
    await backend.sql(
      `insert into private.goal_checks (goal, wallet, block_number, block_hash, nonce)
       select id, wallet, 9, '0x' || repeat('9', 64), 0 from public.goals where id = $1`,
      [member.goal],
    )
  },
  returned: async (member: Member) => {
    await stages.submitted(member)
    await decide(member, 'goal-return', reasonFor(member))
  },
  rejected: async (member: Member) => {
    await stages.submitted(member)
    await decide(member, 'goal-rejection', reasonFor(member))
  },
  open: async (member: Member) => {
    // The goal was returned first, and the reason for the return must be deleted too.
    await stages.returned(member)
    await stages.submitted(member)
    await decide(member, 'goal-approval')
  },
  frozen: async (member: Member) => {
    await stages.open(member)
    await decide(member, 'goal-freeze', 'We ask the school first.')
  },
  ended: async (member: Member) => {
    await stages.open(member)
    const end = { goal: member.goal, reason: 'We have enough for all.' }
    await member.client.rpc('end_goal', end).throwOnError()
  },
  reported: async (member: Member) => {
    await stages.ended(member)
    const report = { words: 'All coats are bought.', links: '', picture: null as never, is_report: true }
    await member.client.rpc('post_goal_update', { goal: member.goal, ...report }).throwOnError()
  },
  completed: async (member: Member) => {
    await stages.reported(member)
    await decide(member, 'goal-report')
  },
  annulled: async (member: Member) => {
    await stages.open(member)
    await decide(member, 'goal-annulment', 'The school does not exist.')
  },
}
const isPublic = (stage: string) => !['draft', 'submitted', 'returned', 'rejected'].includes(stage)

/** Returns every table with its rows as text. */
async function readTables(): Promise<[name: string, rows: string][]> {
  const tables = await backend.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('auth', 'public', 'private', 'storage') and table_type = 'BASE TABLE' order by 1`,
  )
  const all: [string, string][] = []
  for (const { name } of tables) {
    const [row] = await backend.sql<{ rows: string }>(
      `select coalesce(string_agg(t::text, ' '), '') as rows from ${name} as t`,
    )
    all.push([name, row?.rows ?? ''])
  }
  return all
}

/** Returns the texts that anyone can read: cached pages, the same pages without a cache, and files. */
async function readSite(): Promise<[name: string, text: string][]> {
  const slugs = await backend.sql<{ slug: string }>('select slug from public.goals where slug is not null')
  const pages = ['/giveback', '/transparency/acts', '/sitemap.xml', ...slugs.map(pageOf)]
  const all: [string, string][] = []
  for (const path of pages) {
    all.push([`${path}, as cached`, (await new Visitor(site.url).get(path)).html])
    all.push([path, (await new Visitor(uncached.url).get(path)).html])
  }
  for (const path of ['/transparency/log', '/transparency/log/texts', '/transparency.json'])
    all.push([path, await (await fetch(site.url + path)).text()])
  return all
}
const pageOf = ({ slug }: { slug: string }) => `/giveback/${slug}`

/** Returns the names of the texts that contain one of `traces`. */
const namesWith = (texts: [name: string, text: string][], traces: string[]) =>
  texts
    .filter(([, text]) => traces.some((trace) => text.toLowerCase().includes(trace.toLowerCase())))
    .map(([name]) => name)

test('after an account is deleted, only the published texts of its goal remain, whatever the stage of the goal', async () => {
  const other = await addGoal(backend)
  const byStage = new Map<string, Member>()
  for (const [stage, reach] of Object.entries(stages)) {
    const member = await newMember(other.slug)
    await reach(member)
    byStage.set(stage, member)
  }
  const pictures = await backend.sql<{ name: string }>(
    `select name from storage.objects where bucket_id = 'goals'`,
  )
  expect(pictures).toHaveLength(byStage.size)
  // Fills the caches before the deletion, and shows that the search finds the texts.
  const [before, shown] = [await readTables(), await readSite()]
  for (const [stage, { own, published, slug }] of byStage) {
    expect([stage, namesWith(before, own)]).toEqual([stage, expect.arrayContaining(['auth.users'])])
    expect([stage, namesWith(before, published)]).toEqual([stage, expect.arrayContaining(['public.goals'])])
    if (isPublic(stage)) expect(namesWith(shown, published)).toContain(`/giveback/${slug}`)
  }
  for (const { id, visitor } of byStage.values())
    expect((await visitor.post('/dashboard/account/delete', { member: id })).location).toBe('/')
  await backend.sql(`update storage.objects set created_at = now() - interval '2 hours'`)
  await site.runSchedule()

  const [tables, texts] = [await readTables(), await readSite()]
  const left: string[] = []
  for (const { name } of pictures) {
    const headers = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` }
    if ((await fetch(`${backend.url}/storage/v1/object/goals/${name}`, { headers })).ok) left.push(name)
  }
  const kept = [
    ...['private.goal_moves', 'private.log_entries', 'private.log_texts', 'public.goal_changes'],
    ...['public.goals', 'storage.objects'],
  ]
  for (const [stage, { goal, slug, own, published }] of byStage) {
    expect([stage, namesWith(tables, own), namesWith(texts, own)]).toEqual([stage, [], []])
    const stays = isPublic(stage)
    expect([stage, namesWith(tables, published)]).toEqual([stage, stays ? kept : []])
    expect([stage, namesWith(texts, published).includes(`/giveback/${slug}`)]).toEqual([...[stage, stays]])
    if (!stays) expect([stage, namesWith(texts, published)]).toEqual([stage, []])
    expect([stage, left.some((name) => name.startsWith(goal))]).toEqual([stage, stays])
    // The page of a frozen goal says that the goal is frozen, and does not show this sentence.
    const [, page = ''] = texts.find(([name]) => name === `/giveback/${slug}`) ?? []
    const sentence = 'The member deleted their account.'
    expect([stage, page.includes(sentence)]).toEqual([stage, stage === 'open'])
  }
  const ended = await backend.sql(`select from public.goals where ended_by = 'deletion'`)
  expect(ended).toHaveLength(2)

  const folder = temporaryFolder()
  const remembered = `${folder.path}/kept.json`
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['public/verify-ledger.mjs', site.url, '--whole', '--remember', remembered],
  ])
  expect(stdout).toContain('Every entry of the export is in it')
  folder.remove()
})
