import { defineConfig } from '@playwright/test'
import { browserArguments, browserPath } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  globalSetup: './tests/e2e/sites.ts',
  workers: 2,
  fullyParallel: true,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine delays a browser; a test that needs its second try is named in the summary.
  retries: 1,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(browserPath() && { executablePath: browserPath() }),
      args: browserArguments,
    },
  },
  // The same test bodies in both modes; what is script-only by nature stands in *.script.spec.ts, with its reason.
  projects: [
    { name: 'script', use: { javaScriptEnabled: true } },
    { name: 'no-script', use: { javaScriptEnabled: false }, testIgnore: '**/*.script.spec.ts' },
  ],
})
