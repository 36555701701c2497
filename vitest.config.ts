import { defineConfig } from 'vitest/config'
import { shortLived } from './tests/support/short-lived.ts'

const app = new URL('./app', import.meta.url).pathname

/** Unit tests are beside the code that they test; every other suite has a folder below tests/. */
const besideCode = [
  '{app,scripts,supabase}/**/*.test.{ts,tsx}',
  'tests/*.test.ts',
  'tests/support/**/*.test.ts',
]

export default defineConfig({
  resolve: { alias: { '~': app } },
  test: {
    passWithNoTests: true,
    // Tests often wait for processes and clocks, so three files share two cores well.
    maxWorkers: 3,
    execArgv: shortLived,
    // `npm test` names each test that needed its retry.
    retry: process.env.CI ? 1 : 0,
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
        include: name === 'unit' ? besideCode : [`tests/${name}/**/*.test.ts`],
        setupFiles: name === 'unit' ? ['tests/support/silent.ts'] : ['tests/support/cheap-passwords.ts'],
        // Several processes that start one after the other take long on a busy machine.
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
})
