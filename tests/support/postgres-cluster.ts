import { postgresPrograms, startCluster } from './postgres.ts'

/**
 * The global setup of vitest and of Playwright: starts a cluster for the databases of all test backends, if PostgreSQL is
 * installed. Otherwise, and with TEST_DATABASE=pglite, each of them has a PGlite database.
 */
export default async function setup() {
  if (process.env.TEST_DATABASE === 'pglite' || !postgresPrograms()) return
  const cluster = await startCluster()
  process.env.TEST_POSTGRES_URL = cluster.url
  return () => cluster.stop()
}
