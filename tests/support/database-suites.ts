/**
 * Backend suites whose results on PGlite are repeated on PostgreSQL only in deep runs. They write with the
 * same database functions as the other suites, which test bounds, order and concurrency on PostgreSQL in each
 * run.
 */
const repeated = ['account-deletion', 'acts', 'factors', 'proven-wallets', 'storage', 'verify', 'wallets']
const backend = [
  'bounds',
  'ledger',
  'log',
  'log-crash',
  'orders',
  'payer',
  'standing-orders',
  ...(process.env.DEEP === '1' ? repeated : []),
]

/**
 * The suites that run on PostgreSQL if it is installed, and otherwise on PGlite. `npm run test:deep` runs them
 * on both.
 */
export const databaseSuites = ['tests/policies/**/*.test.ts', `tests/backend/{${backend.join()}}.test.ts`]
