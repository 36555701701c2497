import './scripts/demo-day.ts'
import { defineConfig } from '@playwright/test'
import { browserOptions } from './scripts/browser.ts'
import { keepTemporaryFilesInMemory } from './tests/support/memory.ts'

keepTemporaryFilesInMemory()

/**
 * The files whose tests only `npm run test:deep` repeats without JavaScript: the server sends the same document in both
 * modes, and the tests of the worker read documents and send forms without a script. A walk through all pages asks whether
 * each form can be sent without one (tests/worker/all-pages.test.ts). What a browser itself does without a script, such
 * as checking fields, posting and following links of emails, is seen in auth, donate, email, factor, forms, frame
 * and sessions.
 */
const samePages = [
  'account',
  'dashboard',
  'downloads',
  'faults',
  'follow',
  'goals',
  'languages',
  'layout',
  'my-goals',
  'operator',
  'operator-goals',
  'pages',
  'picture',
  'refused',
  'sharing',
  'transparency',
  'verify',
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
    // A click on an element that is not there fails after this time, not at the end of the test.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
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
