import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { poolFaults } from './pools.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const [first] = impactPools
const added = { ...first, slug: 'clean-water', walletVariable: 'POOL_WALLET_WATER' }
/** The files of the repository, with rows of pools behind the last line of the table. */
const withRows =
  (...rows: string[]) =>
  (path: string) =>
    path.endsWith('impact-pools.ts') ? `${read(path)}${rows.join('\n')}\n` : read(path)
const end = read('app/platform/impact-pools.ts').split('\n').length

test('the table of pools has no fault', () => {
  expect(poolFaults(impactPools, read)).toEqual([])
})

test.each<[string, object, string[], string]>([
  [
    'a slug that is an account',
    { slug: 'treasury' },
    ["slug: 'treasury'"],
    `:${end}: the slug treasury is taken`,
  ],
  ['a slug that is a topic', { slug: 'cz-call' }, ["slug: 'cz-call'"], `:${end}: the slug cz-call is taken`],
  ['a slug of another form', { slug: 'Water' }, ["slug: 'Water'"], `:${end}: the slug Water may have a–z`],
  ['no hue', {}, ["slug: 'clean-water'"], `:${end}: app/platform/ui/hues.css has no hue for clean-water`],
  [
    'a variable of another pool',
    { walletVariable: first.walletVariable },
    ["slug: 'clean-water'", `walletVariable: '${first.walletVariable}'`],
    `:${end + 1}: another pool has the variable POOL_WALLET_EDUCATION`,
  ],
  [
    'a text without a translation',
    { description: 'Wells and pumps.' },
    ["slug: 'clean-water'", '', "description: 'Wells and pumps.'"],
    `:${end + 2}: app/platform/locales/zh/messages.po lacks 'Wells and pumps.'`,
  ],
])('the build refuses a pool with %s, and names the file and the line', (_, changes, rows, fault) => {
  const faults = poolFaults([...impactPools, { ...added, ...changes }], withRows(...rows))
  expect(faults).toContainEqual(expect.stringContaining(`app/platform/impact-pools.ts${fault}`))
})

test('the build refuses a pool that is there twice', () => {
  expect(poolFaults([first, first], read)).toContainEqual(
    expect.stringMatching(/^app\/platform\/impact-pools\.ts:\d+: the slug education is taken$/),
  )
})
