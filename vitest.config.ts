import { defineConfig } from 'vitest/config'

const app = new URL('./app', import.meta.url).pathname

export default defineConfig({
  resolve: { alias: { '~': app } },
  test: {
    // Most of a test's time is spent waiting for workerd or a database, so two share even two cores well.
    maxWorkers: 2,
    projects: ['unit', 'policies', 'backend', 'worker', 'faults', 'properties', 'load', 'chain', 'start'].map(
      (name) => ({
        extends: true as const,
        test: {
          name,
          include: [`tests/${name}/**/*.test.ts`, `tests/${name}/**/*.test.tsx`],
          setupFiles: name === 'unit' ? ['tests/silent.ts'] : [],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      }),
    ),
  },
})
