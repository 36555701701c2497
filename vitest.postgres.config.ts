import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/**
 * Backend suites whose results on PGlite are repeated on PostgreSQL only in deep runs. They write with the
 * same database functions as the other suites, which test bounds, order and concurrency on PostgreSQL in each
 * run.
 */
const repeated = ['account-deletion', 'acts', 'factors', 'proven-wallets', 'storage', 'verify', 'wallets']
const backend = ['bounds', 'ledger', 'log', 'log-crash', ...(process.env.DEEP === '1' ? repeated : [])]

/** The suites of PGlite that run here too. `npm test` runs them only here if PostgreSQL is installed. */
export const shared = ['tests/policies/**/*.test.ts', `tests/backend/{${backend.join()}}.test.ts`]

/** `vitest --config vitest.postgres.config.ts` runs the database suites on PostgreSQL instead of PGlite. */
export default defineConfig({
  resolve: config.resolve,
  test: {
    maxWorkers: 3,
    // Files share modules, so that a process compiles them once.
    isolate: false,
    expect: config.test?.expect,
    passWithNoTests: true,
    setupFiles: ['tests/support/cheap-passwords.ts'],
    globalSetup: ['tests/support/postgres-cluster.ts'],
    include: ['tests/postgres/**/*.test.ts', ...shared],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
