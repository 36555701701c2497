/** Runs the tests with a hosted project's services as their backends, and reports what the services served. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { installBrowser } from '../../scripts/browser.ts'
import { run } from '../support/process.ts'
import { results, vitestReports } from '../support/tally.ts'
import { printCounts } from './report.ts'

const suites = ['real', 'contract', 'policies', 'postgres', 'backend', 'worker', 'chain']
const report = `${results}/real.json`
const filesServed = `${results}/real-files.txt`

/** Why a test file does not use the services, recognised in its source. */
const exceptions = [
  {
    uses: /'pglite'|spawnEmbedded|openPglite|migratedDataDir|temporaryDataDir/,
    reason: 'a backend of its own with PGlite, whose process or data folder the tests examine or kill',
  },
  { uses: /startStrictAuth|createServer/, reason: 'a server that the test itself is, in place of a backend' },
]

/**
 * Runs the suites and the browser tests, or the files whose path contains one of `filters`; in the path of a browser
 * test it contains `.spec`. Returns whether all tests passed.
 */
export async function runSuites(filters: string[]): Promise<boolean> {
  const inBrowser = filters.filter((filter) => filter.includes('.spec'))
  const others = filters.filter((filter) => !filter.includes('.spec'))
  let passed = true
  if (filters.length === 0 || others.length > 0) passed = await runVitest(others)
  if (filters.length === 0 || inBrowser.length > 0) passed = (await runBrowser(inBrowser)) && passed
  return passed
}

async function runBrowser(filters: string[]): Promise<boolean> {
  installBrowser()
  const { succeeded } = await run(['playwright', 'test', ...filters])
  printCounts(`${results}/e2e.json`)
  return succeeded
}

async function runVitest(filters: string[]): Promise<boolean> {
  for (const file of [report, filesServed]) rmSync(file, { force: true })
  writeFileSync(filesServed, '')
  const files = filters.length > 0 ? filters : suites.map((suite) => `tests/${suite}/`)
  const { succeeded } = await run(
    ['vitest', 'run', '--project', 'suites', ...files, ...vitestReports(report)],
    { env: { REAL_FILES: filesServed } },
  )
  if (existsSync(report)) printSuites()
  return succeeded
}

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[]
}

/** Prints the counts of each suite, and the files whose tests the services did not serve, with the reason. */
function printSuites(): void {
  const served = new Set(readFileSync(filesServed, 'utf8').split('\n'))
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const files = testResults.map(({ name, assertionResults }) => {
    const file = relative('.', name)
    const count = (status: string) => assertionResults.filter((one) => one.status === status).length
    const source = readFileSync(name, 'utf8')
    const reason = exceptions.find(({ uses }) => uses.test(source))?.reason ?? 'no backend with a data API'
    return {
      ...{ file, suite: file.split('/')[1], served: served.has(name), reason },
      ...{ all: assertionResults.length, passed: count('passed'), failed: count('failed') },
    }
  })
  const sum = (of: typeof files, key: 'all' | 'passed' | 'failed') =>
    of.reduce((total, file) => total + file[key], 0)
  const withApi = files.filter((file) => file.served)
  for (const suite of new Set(withApi.map((file) => file.suite))) {
    const own = withApi.filter((file) => file.suite === suite)
    const skipped = sum(own, 'all') - sum(own, 'passed') - sum(own, 'failed')
    console.log(
      `${suite} with the services: ${sum(own, 'passed')} passed, ${sum(own, 'failed')} failed, ${skipped} skipped`,
    )
  }
  const others = files.filter((file) => !file.served)
  for (const reason of new Set(others.map((file) => file.reason))) {
    console.log(`\nWithout the services: ${reason}`)
    for (const { file, reason: own } of others) if (own === reason) console.log(`  ${file}`)
  }
}
