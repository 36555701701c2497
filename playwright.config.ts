import { defineConfig } from '@playwright/test'
import { browserArguments, browserPath } from './scripts/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  globalSetup: './tests/e2e/sites.ts',
  workers: 4,
  fullyParallel: true,
  // A test that passes does not wait: these limits are for a slow or busy machine.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(browserPath() && { executablePath: browserPath() }),
      args: browserArguments,
    },
  },
  // The same tests run in both modes. A test that needs script, or opens no page, is in *.script.spec.ts.
  projects: [
    { name: 'script', use: { javaScriptEnabled: true } },
    {
      name: 'no-script',
      use: { javaScriptEnabled: false },
      testIgnore: '**/*.script.spec.ts',
    },
  ],
})
