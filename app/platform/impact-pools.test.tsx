import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createEnglish } from '~/platform/locales/language'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { temporaryDataDir } from '../../tests/support/data-folder.ts'
import { newLog } from '../../tests/support/log.ts'
import { LogTree } from '../../tests/support/log-tree.ts'
import { addOperator } from '../../tests/support/operators.ts'
import { startOn, transaction } from '../../tests/support/temporary-backend.ts'
import { addSplit, openTestVote, signBallot } from '../../tests/support/votes.ts'
import { parseFilter } from '../ledger/filter.ts'
import { readWatch } from '../ledger/job/watch.ts'
import { PoolCard } from '../ledger/pool-card.tsx'
import { recordTitle } from '../ledger/record.ts'
import { listPoolsWithTotals } from '../ledger/totals.server.ts'
import { helpingWords } from '../ledger/totals.ts'
import { listWallets } from '../ledger/wallets.ts'
import { loader as sitemap } from '../pages/routes/sitemap.ts'
import { FilterForm } from '../pages/routes/transparency/filter-form.tsx'
import Api from '../pages/routes/transparency.api.tsx'
import { MonthBars } from '../pages/routes/transparency.months/month-bars.tsx'
import { loader as poolPage } from '../pages/routes/voting.pool/route.tsx'
import { findPool, impactPools } from './impact-pools.ts'
import { createData } from './server/data.server.ts'
import { readConfig, variableNames } from './server/env.server.ts'

// A card needs the root route's data (accounts with a wallet), the page of the files its own data.
vi.mock('@remix-run/react', async (importOriginal) => ({
  ...(await importOriginal<typeof import('@remix-run/react')>()),
  useRouteLoaderData: () => ({ openAccounts: [] }),
  useLoaderData: () => ({ isEmpty: false }),
}))
vi.mock('./impact-pools.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./impact-pools.ts')>()
  const pools = [
    ...original.impactPools,
    {
      ...original.impactPools[0],
      slug: 'clean-water',
      title: 'Clean Water Fund',
      category: 'Water',
      walletVariable: 'POOL_WALLET_WATER',
    },
  ]
  return {
    ...original,
    impactPools: pools,
    findPool: (slug: string) => pools.find((pool) => pool.slug === slug),
  }
})

vi.mock('./site.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), brand: 'Harbor' }))

const { checkExport } = await import(new URL('../../public/verify-ledger.mjs', import.meta.url).href)
const actual = await vi.importActual<typeof import('./impact-pools.ts')>('./impact-pools.ts')
const wallet = `0x${'4'.repeat(40)}`
const variables = {
  SITE_URL: 'https://a.example',
  CONTACT_EMAIL: 'hello@a.example',
  SUPABASE_URL: 'https://b.example',
  SUPABASE_PUBLISHABLE_KEY: 'x',
  CHAIN_RPC_URLS: 'https://rpc.example',
  CHAIN_START_BLOCK: '1',
  CHAIN_TOKENS: 'BNB:native:18',
  TREASURY_WALLET: `0x${'1'.repeat(40)}`,
  POOL_WALLET_WATER: wallet,
}
const config = readConfig(variables)
const context = { config } as never

test('a new pool in the table is configured, and its wallet is published and followed on the chain', () => {
  expect(variableNames).toContain('POOL_WALLET_WATER')
  expect(listWallets(config)).toContainEqual({
    slug: 'clean-water',
    name: 'Clean Water Fund',
    purpose: 'Impact pool.',
    address: wallet,
  })
  expect(readWatch(config)?.accounts.get(wallet)).toBe('clean-water')
  expect(() => readConfig({ ...variables, POOL_WALLET_WATTER: wallet })).toThrow(
    'Configuration: POOL_WALLET_WATTER: no pool of app/platform/impact-pools.ts has this variable',
  )
})

test('a new pool in the table has a page, a card, a filter and an entry in every list', async () => {
  const noRows = createData(
    config,
    async () => Response.json([]),
    newLog(),
    () => undefined,
  )
  const readable = { config, publicData: () => noRows }
  expect(await poolPage({ params: { pool: 'clean-water' }, context: readable } as never)).toMatchObject({
    pool: { slug: 'clean-water', totals: null },
  })
  const pool = findPool('clean-water')
  expect(pool).toBeDefined()
  if (pool)
    expect(renderToStaticMarkup(<PoolCard pool={{ ...pool, totals: null }} bought={null} />)).toMatch(
      /Clean Water Fund.*Tell me when it opens/s,
    )
  expect(parseFilter(new URLSearchParams('pool=clean-water'))).toEqual({
    filter: { pool: 'clean-water' },
    ignored: [],
  })
  expect(renderToStaticMarkup(<FilterForm filter={{}} searched={undefined} ignored={[]} />)).toContain(
    'Clean Water Fund',
  )
  expect(renderToStaticMarkup(<Api />)).toContain('clean-water')
  expect(await (await sitemap({ context } as never)).text()).toContain(
    'https://a.example/voting/clean-water<',
  )
  expect(
    recordTitle(
      {
        type: 'donation',
        direction: 'out',
        amountUsd: 100,
        tokens: null,
        poolSlug: 'clean-water',
        toAccount: 'clean-water',
        counterName: null,
      },
      createEnglish(),
    ),
  ).toBe('$1.00 to Clean Water Fund')
  const month = {
    start: new Date('2025-11-01'),
    receivedUsd: 100,
    movedUsd: 0,
    paidUsd: 100,
    heldUsd: 0,
    uses: { 'clean-water': 100 },
  }
  expect(renderToStaticMarkup(<MonthBars months={[month]} uses={['clean-water']} />)).toContain('Water')
  const pools = await listPoolsWithTotals(noRows)
  expect(pools.map(({ slug }) => slug)).toEqual(impactPools.map(({ slug }) => slug))
})

test('no other source file lists the pools', () => {
  const files = globSync('{app,scripts,supabase/embedded}/**/*.{ts,tsx,mjs}').filter(
    (file) => !/\.test\.tsx?$/.test(file) && file !== 'app/platform/impact-pools.ts',
  )
  const named = files.filter((file) =>
    /humanitarian-relief|animal-welfare|POOL_WALLET_[A-Z]/.test(readFileSync(file, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(named).toEqual([])
})

test('the table begins with the three pools of the specification', () => {
  expect(
    actual.impactPools.slice(0, 3).map((pool) => [pool.category, helpingWords(0, pool, createEnglish())]),
  ).toEqual([
    ['Education', '0 students'],
    ['Humanitarian Relief', '0 families'],
    ['Animal Welfare', '0 animals'],
  ])
})

test('each pool in the table has its own slug and variable, and its pictures exist', () => {
  const { impactPools: pools, slugPattern } = actual
  for (const { slug } of pools) expect(slug).toMatch(new RegExp(`^${slugPattern}$`))
  for (const column of ['slug', 'walletVariable'] as const)
    expect(new Set(pools.map((pool) => pool[column])).size).toBe(pools.length)
  const pictures = pools.flatMap(({ image, shareImage }) => [image, shareImage])
  expect(pictures.filter((path) => !existsSync(`public${path}`))).toEqual([])
})

test('no migration lists the pools: the database keeps those of the table, in their order', async () => {
  const named = globSync('supabase/migrations/*.sql').filter((file) =>
    actual.impactPools.some(({ slug }) => readFileSync(file, 'utf8').includes(`'${slug}'`)),
  )
  expect(named).toEqual([])
})

describe('a fourth pool, under another brand', () => {
  const day = 86_400_000
  const [treasury, dollar, payer] = ['7', 'd', '3'].map((digit) => `0x${digit.repeat(40)}`)
  let backend: EmbeddedBackend
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>
  beforeAll(async () => {
    // PGlite reads the clock of this process, so that the months that an allocation needs pass in seconds.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-08T12:00:00Z') })
    // Not from the template of other tests, which has the pools of the table.
    folder = await temporaryDataDir()
    backend = await startOn(folder.path)
  })
  afterAll(async () => {
    await backend.close()
    folder.remove()
    vi.useRealTimers()
  })

  test('is voted for, counted, allocated, paid, and verified by the public verifier', async () => {
    const { sql } = backend
    const slug = await addSplit(backend, 7 * 24 * 3600, {
      least: [10, 0, 0, 5, 0, 0, 10],
      most: [60, 40, 40, 50, 40, 40, 40],
    })
    const vote = await openTestVote(backend, slug)
    for (const [at, choice] of ['20 10 10 40 0 0 20', '10 0 0 50 0 0 40'].entries()) {
      const row = await signBallot(privateKeyToAccount(`0x${'1'.repeat(63)}${at + 1}`), vote, choice)
      expect(row.message).toMatch(/^Ballot of token holders\n/)
      const member = crypto.randomUUID()
      await sql(
        `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2)`,
        [member, `${member}@example.org`],
      )
      const [ballot] = await sql<{ id: number }>(
        `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [member, row.vote, row.wallet, row.choice, row.signed_at, row.signature],
      )
      const digest = createHash('sha256').update(row.message).digest('hex')
      const result = JSON.stringify([{ id: ballot?.id, digest, weight: `${3n * 10n ** 19n}` }])
      await sql('select public.count_ballots($1)', [result])
    }
    // A pool of an open vote is not closed.
    const names: string[] = impactPools.map((pool) => pool.slug)
    const without = names.filter((name) => name !== 'clean-water')
    expect(await sql('select public.keep_pools($1) as kept', [without])).toEqual([{ kept: ['clean-water'] }])
    expect(await sql('select public.keep_pools($1) as kept', [names])).toEqual([{ kept: [] }])

    vi.setSystemTime(Date.now() + 7 * day + 60_000)
    expect(await sql('select public.finish_votes() as many')).toEqual([{ many: 1 }])
    const [split] = await sql<{ parts: object }>('select parts from public.payment_splits')
    expect(split?.parts).toMatchObject({ education: 150, 'clean-water': 450, reserve: 300 })

    const wallets = [
      { account: 'treasury', address: treasury },
      { account: 'clean-water', address: wallet },
    ]
    const tokens = [{ symbol: 'USDX', address: dollar, decimals: 18 }]
    const terms = { chain_id: 56, payer, notice_hours: 24, limit_tokens: 1000, wallets, tokens }
    await sql('select public.store_payment_terms($1)', [JSON.stringify(terms)])
    const [ada, bob] = [await addOperator(backend, 'eve'), await addOperator(backend, 'kim')]
    const rule = {
      ...{
        rule: 'allocation',
        percent: '50',
        day: '10',
        token: 'USDX',
        order_limit: '900',
        month_limit: '900',
      },
      ...{ ends: new Date(Date.now() + 90 * day).toISOString(), purpose: 'Clean water' },
    }
    const act = crypto.randomUUID()
    const given = { act, kind: 'standing-order', subject: null, arguments: rule, reason: '' }
    expect((await ada.client.rpc('save_act' as never, given as never)).error).toBeNull()
    expect((await ada.client.rpc('submit_act' as never, { act } as never)).error).toBeNull()
    expect((await bob.client.rpc('confirm_act' as never, { act } as never)).data).toMatchObject({
      state: 'done',
    })

    const row = async (changes: object) => {
      const added = transaction({
        ...{
          occurred_at: new Date().toISOString(),
          token_address: dollar,
          token_symbol: 'USDX',
          token_decimals: 18,
        },
        ...changes,
      })
      await sql('select public.append_ledger($1)', [JSON.stringify([added])])
      await sql(
        `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
         select max(id), 'verified', 9, $1::text, 20 from public.transactions where tx_hash = $1::text`,
        [added.tx_hash],
      )
      return added.tx_hash
    }
    await row({
      type: 'tax',
      direction: 'in',
      to_address: treasury,
      amount_usd: '1000.00',
      token_amount: `${10n ** 21n}`,
    })
    vi.setSystemTime('2027-02-12T12:00:00Z')
    await sql(
      `insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
       values (56, 9, '0x' || repeat('a', 64), now())`,
    )
    expect(await sql('select public.allocate_tax(56) as made')).toEqual([{ made: 1 }])
    // Half of $1,000.00, of which the fourth pool has 45%.
    const amount = `${225n * 10n ** 18n}`
    const order =
      'select recipient_account, token_amount::text as amount, state, tx_hash from public.published_orders'
    const announced = { recipient_account: 'clean-water', amount, state: 'announced', tx_hash: null }
    expect(await sql(order)).toEqual([announced])
    expect(await sql('select public.keep_pools($1) as kept', [without])).toEqual([{ kept: ['clean-water'] }])

    vi.setSystemTime(Date.now() + 2 * day)
    const tx_hash = await row({
      ...{ type: 'donation', direction: 'out', counter_account: 'clean-water', pool_slug: 'clean-water' },
      ...{ from_address: treasury, to_address: wallet, token_amount: amount, amount_usd: '225.00' },
    })
    expect(await sql(order)).toEqual([{ ...announced, state: 'paid', tx_hash }])
    const lines = (
      await sql<{ entry: string }>(
        "select entry from private.log_entries where log = 'ledger' order by index",
      )
    ).map(({ entry }) => Buffer.from(entry))
    const tree = new LogTree(lines)
    const latest = { size: tree.size, root: Buffer.from(tree.root()), title: 'the test' }
    expect(
      await checkExport(
        lines.map((line) => Buffer.concat([line, Buffer.from('\n')])),
        latest,
      ),
    ).toMatchObject({ size: lines.length })
    const kinds = lines.map((line) => JSON.parse(line.toString()).kind)
    expect(kinds).toEqual(expect.arrayContaining(['ballot', 'split-result', 'split', 'allocation', 'order']))

    // Now the pool can be closed: its rows stay, and no form has it.
    expect(await sql('select public.keep_pools($1) as kept', [without])).toEqual([{ kept: [] }])
    const topic = "select private.is_topic('clean-water') as is_topic"
    expect(await sql(topic)).toEqual([{ is_topic: false }])
    expect(
      (await sql('select from public.published_transactions where pool_slug = $1', ['clean-water'])).length,
    ).toBe(1)
    await expect(sql('select public.keep_pools($1)', [[...names, 'treasury']])).rejects.toThrow(
      'another account',
    )
    await sql('select public.keep_pools($1)', [names])
    expect(await sql(topic)).toEqual([{ is_topic: true }])
  })
})
