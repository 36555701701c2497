import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LogTree } from '../support/log-tree.ts'

const { checkExport } = await import(
  fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
)

/** Checks a whole log, as the program does with an export. `lines` are entries without their line feeds. */
function check(lines: readonly string[]): Promise<{ size: number; unordered: number }> {
  const tree = new LogTree(lines.map((line) => Buffer.from(line)))
  const latest = { size: tree.size, root: Buffer.from(tree.root()), title: 'the test' }
  return checkExport(
    lines.map((line) => Buffer.from(`${line}\n`)),
    latest,
  )
}

const folder = new URL('logs/', import.meta.url)
const recorded = [
  ...readFileSync(new URL('SHA256SUMS', folder), 'utf8').matchAll(/^(\w{64}) {2}(\S+)$/gm),
].map(([, sum = '', name = '']) => ({ sum, name }))
const linesOf = (name: string) => readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')

test('a log that a former release recorded still passes', async () => {
  expect(recorded.map(({ name }) => name)).toEqual([
    '5e60d2bb-demo.ndjson',
    '5e60d2bb-goal-vote.ndjson',
    '5e60d2bb-split-vote.ndjson',
  ])
  for (const { sum, name } of recorded) {
    const lines = linesOf(name)
    const file = readFileSync(new URL(name, folder))
    expect([name, createHash('sha256').update(file).digest('hex')]).toEqual([name, sum])
    expect([name, (await check(lines)).size]).toEqual([name, lines.length])
    expect(lines.filter((line) => line.includes('"rules":'))).toEqual([])
  }
})

test('refuses an entry by older rules than one before it, and does not check one by rules that it does not know', async () => {
  const [first = '', act = '', draw = ''] = linesOf('5e60d2bb-split-vote.ndjson')
  const by = (rules: unknown, line: string) => {
    const { kind, id, recorded_at, ...more } = JSON.parse(line)
    return JSON.stringify({ kind, id, recorded_at, rules, ...more })
  }
  await expect(check([first, act, draw])).resolves.toMatchObject({ size: 3 })
  await expect(check([first, act, by(2, draw)])).resolves.toMatchObject({ size: 3 })
  await expect(check([by(2, first), act, draw])).rejects.toThrow(
    'Entry 2 is by the rules of version 1, and an entry before it by those of version 2.',
  )
  for (const rules of [0, 1, -2, 2.5, '2', null])
    await expect(check([first, act, by(rules, draw)])).rejects.toThrow(
      'Entry 2 does not say by which rules it is made.',
    )
  await expect(check([first, act, by(3, draw)])).rejects.toThrow(
    'Entry 2 is by the rules of version 3, and this program knows those up to 2. Download it again.',
  )
})
