import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { catalogs } from './scripts/vite/catalogs.ts'
import { messages } from './scripts/vite/messages.ts'
import { shortLived } from './tests/support/short-lived.ts'

const app = fileURLToPath(new URL('./app', import.meta.url))

/** Unit tests are beside the code that they test; every other suite has a folder below tests/. */
const besideCode = [
  '{app,scripts,supabase}/**/*.test.{ts,tsx}',
  'tests/*.test.ts',
  'tests/support/**/*.test.ts',
]

/** Test files that mostly wait, for more than half a minute each. Meanwhile the other files use the processor. */
const waiting = ['start/start', 'backend/process', 'worker/day']

/** Starts the waiting files before all others, because the last of them would otherwise run alone at the end. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const waits = ({ moduleId }: TestSpecification) =>
      waiting.some((name) => moduleId.includes(`tests/${name}.`))
    return (await super.sort(files)).toSorted((a, b) => Number(waits(b)) - Number(waits(a)))
  }
}

export default defineConfig({
  plugins: [messages(), catalogs()],
  resolve: { alias: { '~': app } },
  test: {
    passWithNoTests: true,
    sequence: { sequencer: WaitingFirst },
    // Tests wait for processes and clocks for half of their time, so two cores are enough for four files in parallel.
    maxWorkers: 4,
    execArgv: shortLived,
    // A test that passes does not wait: this limit and those below are for a slow or busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      'unit',
      'policies',
      'backend',
      'worker',
      'faults',
      'properties',
      'load',
      'chain',
      'contract',
      'start',
      // Response times take minutes: only `npm run test:deep` measures them.
      ...(process.env.DEEP === '1' ? ['deep'] : []),
    ].map((name) => ({
      extends: true as const,
      test: {
        name,
        // Unit tests replace globals and modules. Files of other suites share modules: the database is compiled once.
        isolate: name === 'unit',
        include: name === 'unit' ? besideCode : [`tests/${name}/**/*.test.ts`],
        setupFiles: name === 'unit' ? ['tests/support/silent.ts'] : ['tests/support/cheap-passwords.ts'],
        testTimeout: 180_000,
        hookTimeout: 180_000,
      },
    })),
  },
})
