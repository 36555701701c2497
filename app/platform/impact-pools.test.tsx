import { existsSync, globSync, readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createEnglish } from '~/platform/locales/language'
import { newLog } from '../../tests/support/log.ts'
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

// A card's button needs the root route's data, which lists the accounts with a wallet. The page of the files
// needs its own data.
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

const actual = await vi.importActual<typeof import('./impact-pools.ts')>('./impact-pools.ts')
const wallet = `0x${'4'.repeat(40)}`
const config = readConfig({
  SITE_URL: 'https://a.example',
  CONTACT_EMAIL: 'hello@a.example',
  SUPABASE_URL: 'https://b.example',
  SUPABASE_PUBLISHABLE_KEY: 'x',
  CHAIN_RPC_URLS: 'https://rpc.example',
  CHAIN_START_BLOCK: '1',
  CHAIN_TOKENS: 'BNB:native:18',
  TREASURY_WALLET: `0x${'1'.repeat(40)}`,
  POOL_WALLET_WATER: wallet,
})
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

test('the migrations insert exactly the slugs that the table contains', () => {
  const inserts = globSync('supabase/migrations/*.sql').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/insert into private\.accounts\b[^;]*/g),
  ])
  const slugs = inserts.flatMap(([statement]) =>
    [...statement.matchAll(/\('([a-z-]+)', true\)/g)].map(([, s]) => s),
  )
  expect(slugs.toSorted()).toEqual(actual.impactPools.map(({ slug }) => slug).toSorted())
})
