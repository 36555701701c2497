import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** `vitest --config vitest.postgres.config.ts`: the suites that use a database, on PostgreSQL instead of PGlite. */
export default defineConfig({
  resolve: config.resolve,
  test: {
    maxWorkers: 2,
    // `npm test` names each test that needed its retry.
    retry: process.env.CI ? 1 : 0,
    passWithNoTests: true,
    setupFiles: ['tests/support/cheap-passwords.ts'],
    globalSetup: ['tests/support/postgres-cluster.ts'],
    include: [
      'tests/postgres/**/*.test.ts',
      'tests/policies/**/*.test.ts',
      'tests/backend/{account-deletion,bounds,factors,ledger,log,log-crash,proven-wallets,storage,verify,wallets}.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
