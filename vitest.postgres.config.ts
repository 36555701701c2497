import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/**
 * Backend suites that repeat on PostgreSQL what they show on PGlite. They write by the same functions of the database,
 * whose bounds, order and concurrency the other suites test on PostgreSQL in each run.
 */
const repeated = ['account-deletion', 'acts', 'factors', 'proven-wallets', 'storage', 'verify', 'wallets']
const backend = ['bounds', 'ledger', 'log', 'log-crash', ...(process.env.DEEP === '1' ? repeated : [])]

/** `vitest --config vitest.postgres.config.ts`: the suites that use a database, on PostgreSQL instead of PGlite. */
export default defineConfig({
  resolve: config.resolve,
  test: {
    maxWorkers: 3,
    expect: config.test?.expect,
    passWithNoTests: true,
    setupFiles: ['tests/support/cheap-passwords.ts'],
    globalSetup: ['tests/support/postgres-cluster.ts'],
    include: [
      'tests/postgres/**/*.test.ts',
      'tests/policies/**/*.test.ts',
      `tests/backend/{${backend.join()}}.test.ts`,
    ],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
