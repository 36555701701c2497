import { defineConfig } from 'vitest/config'
import { databaseSuites } from './tests/support/database-suites.ts'
import config from './vitest.config.ts'

/** `vitest --config vitest.postgres.config.ts` runs the database suites on PostgreSQL instead of PGlite. */
export default defineConfig({
  plugins: config.plugins,
  resolve: config.resolve,
  test: {
    maxWorkers: 3,
    // Files share modules, so that a process compiles them once.
    isolate: false,
    expect: config.test?.expect,
    passWithNoTests: true,
    setupFiles: ['tests/support/cheap-passwords.ts'],
    globalSetup: ['tests/support/postgres-cluster.ts'],
    include: ['tests/postgres/**/*.test.ts', ...databaseSuites],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
