import type { TestProject } from 'vitest/node'
import { startCluster } from './postgres.ts'

/** The global setup of vitest: every test backend of the run gets a database in this cluster. */
export default async function setup(_: TestProject) {
  const cluster = await startCluster()
  process.env.TEST_POSTGRES_URL = cluster.url
  return () => cluster.stop()
}
