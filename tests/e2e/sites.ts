import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { variablesOfDemo } from '../../supabase/embedded/demo-chain.ts'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { type Project, readProjects } from '../real/project.ts'
import '../support/cheap-passwords.ts'
import { secretsIn } from '../support/secrets.ts'
import { type SiteWithBackend, startPictures, startSite, startSiteWithBackend } from '../support/site.ts'

/** Facts about this run's sites that the test processes read. The backend belongs to the empty site. */
export interface Sites {
  empty: string
  emptyMail: string
  confirming: string
  confirmingMail: string
  /** A site without a running backend. */
  alone: string
  demo: string
  /** A site with the demonstration's data but without DEMO, so donations are open. */
  filled: string
  /** The demonstration, also in a pseudo-locale. */
  pseudo: string
  demoTotals: DemoTotals
  backendUrl: string
  publishableKey: string
}

interface DemoTotals {
  treasury: number
  donated: number
  dreams: number
  transactions: number
  pools: Record<string, number>
}

/** 1 for a row that adds to the treasury or the donation wallet, -1 for one that takes, 0 for others. */
function intoTreasury(row: { direction: string; account: string; counter_account: string | null }): number {
  const ours = (account: string | null) => account === 'treasury' || account === 'donation-wallet'
  const from = ours(row.account) ? (row.direction === 'in' ? 1 : -1) : 0
  return from + (ours(row.counter_account) ? 1 : 0)
}

/** True for donations, and for gifts directly to a pool. */
function isDonated({ type, pool_slug }: { type: string; pool_slug: string | null }): boolean {
  return type === 'donation' || (type === 'gift' && pool_slug !== null)
}

/** The demonstration's totals, from its rows and checks instead of the views that the pages read. */
async function readTotals(sql: EmbeddedBackend['sql']): Promise<DemoTotals> {
  const all = await sql<{
    type: string
    direction: string
    account: string
    counter_account: string | null
    pool_slug: string | null
    cents: string | null
    status: string
  }>(
    `select type, direction, account, counter_account, pool_slug, (amount_usd * 100)::bigint::text as cents,
      (select status from public.transaction_checks
        where transaction_id = newest.id and status <> 'unreachable' order by id desc limit 1) as status
    from public.transactions newest
    where not exists (select from public.transactions later
      where (later.chain_id, later.tx_hash, later.ordinal) = (newest.chain_id, newest.tx_hash, newest.ordinal)
        and later.revision > newest.revision)`,
  )
  const rows = all.filter(({ status }) => status === 'verified')
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row) * Number(row.cents ?? 0), 0) / 100
  const spent = (type: string) => sum((row) => (row.type === type && row.direction === 'out' ? 1 : 0))
  return {
    treasury: sum(intoTreasury),
    donated: sum((row) => (isDonated(row) ? 1 : 0)),
    dreams: spent('dream'),
    transactions: all.length,
    pools: Object.fromEntries(
      impactPools.map(({ slug }) => [slug, sum((row) => (row.pool_slug === slug && isDonated(row) ? 1 : 0))]),
    ),
  }
}

/**
 * Starts the sites that the browser tests share. The environment names up to two projects: with and without
 * email confirmation. The embedded backend replaces a missing project. Returns a function that closes the
 * sites and checks their log.
 */
export default async function startSites() {
  const log = resolve('test-results/site.log')
  mkdirSync('test-results', { recursive: true })
  writeFileSync(log, '')
  process.env.SITE_LOG = log
  const projects = await readProjects()
  const start = (confirmations: boolean) => {
    const project = projects.find((project) => project.confirmations === confirmations)
    return project ? startSiteOn(project) : startSiteWithBackend({ confirmations })
  }
  const [alone, empty, confirming, demo] = await Promise.all([
    startSite({ url: 'http://127.0.0.1:9', publishableKey: 'sb_publishable_none' }),
    start(false),
    start(true),
    startSiteWithBackend({ demo: true, variables: { CHECK_RPC_URLS: 'https://rpc.example/public' } }),
  ])
  await startPictures(empty.backend)
  const [filled, pseudo] = await Promise.all([
    startSite(demo.backend, { ...demoVariables, DEMO: '0', FUNDME_OPEN: '0' }),
    startSite(demo.backend, { ...variablesOfDemo(demo.backend.url), PREVIEW_LOCALES: 'en-XA' }),
  ])
  const sites: Sites = {
    empty: empty.url,
    emptyMail: empty.backend.mailUrl,
    confirming: confirming.url,
    confirmingMail: confirming.backend.mailUrl,
    alone: alone.url,
    demo: demo.url,
    filled: filled.url,
    pseudo: pseudo.url,
    demoTotals: await readTotals(demo.backend.sql),
    backendUrl: empty.backend.url,
    publishableKey: empty.backend.publishableKey,
  }
  process.env.SITES = JSON.stringify(sites)
  return async () => {
    const known = await Promise.all([empty, confirming, demo].filter(isEmbedded).map(readSecrets))
    await Promise.all([filled, pseudo].map((site) => site.close()))
    await Promise.all([alone, empty, confirming, demo].map((site) => site.close()))
    checkLog(readFileSync(log, 'utf8').trim().split('\n'), known.flat())
  }
}

/** A site on an external project. */
async function startSiteOn(project: Project) {
  const site = await startSite(project, {}, { siteUrl: project.siteUrl })
  console.log(`${project.confirmations ? 'with' : 'without'} confirmations: ${project.url} at ${site.url}`)
  return { ...site, backend: project }
}

function isEmbedded(site: { backend: object }): site is SiteWithBackend {
  return 'sql' in site.backend
}

/**
 * Reads the secrets at the end of the run: a backend's keys, the token hashes in its emails, and all email
 * addresses, tokens, codes and hashes of at least 8 characters in its schema `auth`.
 */
async function readSecrets({ backend }: SiteWithBackend): Promise<string[]> {
  const columns = await backend.sql<{ read: string }>(
    `select format('select distinct %1$I::text as value from auth.%2$I where length(%1$I) > 7', column_name, table_name) as read
    from information_schema.columns
    where table_schema = 'auth' and data_type in ('text', 'character varying')
      and column_name ~ 'token|secret|email|password|code|nonce|hash' and column_name !~ 'type|method'`,
  )
  const secrets = [backend.secretKey, backend.publishableKey]
  for (const { read } of columns) {
    const rows = await backend.sql<{ value: string }>(read)
    secrets.push(...rows.map(({ value }) => value))
  }
  const mails = (await (await fetch(`${backend.mailUrl}/messages.json`)).json()) as { text: string }[]
  return [...secrets, ...mails.flatMap(({ text }) => text.match(/(?<=token_hash=)[\w-]+/g) ?? [])]
}

/** Checks that no line of a site or its backend contains a secret. */
function checkLog(lines: string[], known: string[]): void {
  console.log(`log: ${lines.length} lines of the sites and their backends, ${known.length} known secrets`)
  const found = secretsIn(lines, known)
  if (found.length) throw new Error(`The log contains secrets:\n${found.slice(0, 20).join('\n')}`)
}
