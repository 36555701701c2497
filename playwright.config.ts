import { defineConfig } from '@playwright/test'
import { browserOptions } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  globalSetup: './tests/e2e/sites.ts',
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
    launchOptions: browserOptions('--renderer-process-limit=1'),
  },
  // Both modes run the same tests. A test that needs JavaScript or opens no page is in *.script.spec.ts.
  projects: [
    { name: 'script', use: { javaScriptEnabled: true } },
    {
      name: 'no-script',
      use: { javaScriptEnabled: false },
      testIgnore: '**/*.script.spec.ts',
      grepInvert: process.env.DEEP === '1' ? undefined : /@repeated-without-script/,
    },
  ],
})
