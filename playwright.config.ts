import { defineConfig } from '@playwright/test'
import { browserOptions } from './scripts/browser.ts'
import { keepTemporaryFilesInMemory } from './tests/support/memory.ts'

keepTemporaryFilesInMemory()

/**
 * The files whose pages are the same document with and without JavaScript, except for scripts of other files' tests. So
 * only `npm run test:deep` repeats these tests without JavaScript. A walk through all pages asks whether each form can be
 * sent without a script (tests/worker/all-pages.test.ts).
 */
const samePages = [
  'downloads',
  'follow',
  'goals',
  'layout',
  'operator',
  'operator-goals',
  'transparency',
  'votes',
].map((name) => `**/${name}.spec.ts`)
const isDeep = process.env.DEEP === '1'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  globalSetup: ['./tests/support/postgres-cluster.ts', './tests/e2e/sites.ts'],
  // On two cores, four processes needed more processor time than three, and were not faster.
  workers: 3,
  fullyParallel: true,
  // Tests that pass do not wait for these limits, which allow for a slow or busy machine.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    // Without this limit, Chromium keeps a spare process ready for the next page. Each test has a new browser
    // context, which discards this process. The discarded processes took a fifth of a short test's time.
    // The GPU's part draws in software here. As a process of its own it took 7 % of the processor time.
    launchOptions: browserOptions('--renderer-process-limit=1', '--in-process-gpu'),
  },
  // Both modes run the same tests. A test that needs JavaScript or opens no page is in *.script.spec.ts.
  projects: [
    { name: 'script', use: { javaScriptEnabled: true } },
    {
      name: 'no-script',
      use: { javaScriptEnabled: false },
      testIgnore: ['**/*.script.spec.ts', ...(isDeep ? [] : samePages)],
      grepInvert: isDeep ? undefined : /@repeated-without-script/,
    },
  ],
})
