import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let copy: string

/** Copies the files that the checks read, so that the tests can write faults into the copy. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'goodblock-boundaries-'))
  spawnSync('git', ['init', '-q'], { cwd: copy })
  for (const path of ['app', 'scripts', 'supabase', 'tests', 'biome.json', 'tsconfig.json', '.gitignore'])
    cpSync(path, join(copy, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function plant(path: string, text: string, original = ''): void {
  writeFileSync(join(copy, path), `${text}\n${original}`)
}

/** Runs a check of `npm run check` in the copy. */
function check(name: string): { passed: boolean; output: string } {
  const { status, stdout } = spawnSync('node', ['tests/checks.ts', name], { cwd: copy, encoding: 'utf8' })
  return { passed: status === 0, output: stdout }
}

test('npm run check rejects each import that the table does not allow: an import of a value or a type, through an alias, or by a call', () => {
  const planted = [
    ['app/ledger/totals.ts', "import '../../tests/support/tally.ts'", 'tests/support/tally.ts'],
    [
      'app/platform/server/clock.server.ts',
      "import '../../../supabase/embedded/keys.ts'",
      'supabase/embedded/keys.ts',
    ],
    [
      'app/platform/ui/stat.tsx',
      "import type { Viewer } from '../../members/auth/viewer.server'",
      'app/members/auth/viewer.server.ts',
    ],
    [
      'app/platform/forms/form.server.ts',
      "import '~/platform/edge/page-cache.server'",
      'app/platform/edge/page-cache.server.ts',
    ],
    [
      'app/goals/pools.server.ts',
      "void import('./routes/giveback/route')",
      'app/goals/routes/giveback/route.tsx',
    ],
    [
      'app/pages/routes/voting/donations-table.tsx',
      "import '../voting.pool/route'",
      'app/pages/routes/voting.pool/route.tsx',
    ],
    [
      'app/words/routes/risk.tsx',
      "import type { Fact } from '~/pages/routes/voting/donations-table'",
      'app/pages/routes/voting/donations-table.tsx',
    ],
    [
      'app/pages/routes/home/route.tsx',
      "void import('../../../words/routes/risk')",
      'app/words/routes/risk.tsx',
    ],
  ] as const
  for (const [path, line] of planted) plant(path, line, readFileSync(path, 'utf8'))
  const { passed, output } = check('boundaries')
  for (const [path] of planted) plant(path, '', readFileSync(path, 'utf8'))
  expect(passed).toBe(false)
  for (const [path, , imported] of planted) expect(output).toContain(`${path} imports ${imported}: `)
  expect(output.match(/ may not import /g)).toHaveLength(planted.length)
})

test("npm run check rejects a module that the worker's entry would load before its first response", () => {
  const path = 'app/platform/edge/template.ts'
  plant(path, "import '../rendering/router.server'", readFileSync(path, 'utf8'))
  const { passed, output } = check('boundaries')
  plant(path, '', readFileSync(path, 'utf8'))
  expect(passed).toBe(false)
  expect(output).toContain(`${path} imports app/platform/rendering/router.server.ts: the worker's entry`)
})

test('npm run check rejects import cycles, whether the files import values or only types', () => {
  for (const [name, word] of [
    ['value', 'import'],
    ['kind', 'import type'],
  ]) {
    plant(`app/ledger/${name}.ts`, `${word} { b } from './${name}-b'\nexport const a = 1 as typeof b`)
    plant(`app/ledger/${name}-b.ts`, `${word} { a } from './${name}'\nexport const b = 1 as typeof a`)
  }
  const { passed, output } = check('lint')
  expect(passed).toBe(false)
  for (const name of ['value', 'value-b', 'kind', 'kind-b'])
    expect(output).toMatch(new RegExp(`app/ledger/${name}\\.ts:\\S+ lint/suspicious/noImportCycles`))
})
