import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import './scripts/demo-day.ts'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { catalogs } from './scripts/vite/catalogs.ts'
import { messages } from './scripts/vite/messages.ts'
import { pages } from './scripts/vite/pages.ts'
import { keepTemporaryFilesInMemory } from './tests/support/memory.ts'
import { postgresPrograms } from './tests/support/postgres.ts'

keepTemporaryFilesInMemory()

const app = fileURLToPath(new URL('./app', import.meta.url))

/** Unit tests are beside the tested code. Every other suite has a folder below tests/. */
const besideCode = [
  '{app,scripts,supabase}/**/*.test.{ts,tsx}',
  'tests/*.test.ts',
  'tests/support/**/*.test.ts',
]

/** Unit tests that replace modules share no thread: other files would get the replaced modules. */
const replacing = globSync(besideCode).filter((path) =>
  /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(path, 'utf8')),
)

/** Test files that mostly wait for clocks and processes, most of them for more than half a minute. */
const waiting = [
  'start/start',
  'chain/votes',
  'backend/votes',
  'worker/votes',
  'chain/faults',
  'chain/command',
  'chain/flood',
  'faults/refresh',
  'backend/verify',
  'worker/follow',
  'worker/day',
]

/** Starts a waiting file beside each other file, so that the cores are busy from the beginning to the end. */
class WaitingBesideOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const waits = ({ moduleId }: TestSpecification) =>
      waiting.some((name) => moduleId.includes(`tests/${name}.`))
    const sorted = await super.sort(files)
    const others = sorted.filter((file) => !waits(file))
    return [...sorted.filter(waits).flatMap((file) => [file, ...others.splice(0, 1)]), ...others]
  }
}

/**
 * Unit tests run before the other suites. They do not wait, so one thread for each of two cores is enough, and
 * each thread loads the modules of the app once.
 */
const unit = {
  pool: 'threads' as const,
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  setupFiles: ['tests/support/silent.ts'],
}

const suites = [
  'policies',
  'backend',
  'worker',
  'faults',
  'properties',
  'load',
  'chain',
  'contract',
  'start',
  ...(postgresPrograms() && process.env.TEST_DATABASE !== 'pglite' ? ['postgres'] : []),
  ...(process.env.POSTGREST_BIN ? ['real'] : []),
  // Response times take minutes to measure, so only `npm run test:deep` measures them.
  ...(process.env.DEEP === '1' ? ['deep'] : []),
].map((name) => `tests/${name}/**/*.test.ts`)

export default defineConfig({
  plugins: [messages(), catalogs(), pages()],
  resolve: { alias: { '~': app } },
  test: {
    passWithNoTests: true,
    sequence: { sequencer: WaitingBesideOthers },
    // Half of a test file's time is waiting for processes and clocks: two cores can run four files.
    maxWorkers: 4,
    // Tests that pass never reach this limit or the limits below, which allow for a slow or busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // Files share modules, so that a process compiles the modules, and the database's code, once.
      { include: besideCode, exclude: replacing, ...unit, name: 'unit', isolate: false },
      { include: replacing, ...unit, name: 'unit-isolated' },
      {
        name: 'suites',
        include: suites,
        isolate: false,
        sequence: { groupOrder: 1 },
        globalSetup: ['tests/support/postgres-cluster.ts'],
        setupFiles: ['tests/support/cheap-passwords.ts', 'tests/support/test-file.ts'],
      },
    ].map((test) => ({
      extends: true as const,
      test: { ...test, testTimeout: 180_000, hookTimeout: 180_000 },
    })),
  },
})
