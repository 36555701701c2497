/** What `npm test` and `npm run test:deep` count, and how they end. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** What every suite writes its report to. */
export const results = 'test-results'
mkdirSync(results, { recursive: true })

const total: Counts = { passed: 0, failed: 0, skipped: 0 }

export function add(name: string, counts: Counts): void {
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
}

/** Adds what a suite's report says. A runner that fails without a failed test counts as one. */
export function addReport(
  name: string,
  file: string,
  succeeded: boolean,
  count: (report: never) => Counts,
): void {
  const counts = existsSync(file)
    ? count(JSON.parse(readFileSync(file, 'utf8')) as never)
    : { passed: 0, failed: 0, skipped: 0 }
  if (counts.failed === 0 && (!succeeded || counts.passed === 0)) counts.failed += 1
  add(name, counts)
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

export function countVitest(report: VitestReport): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

/** The arguments with which vitest reports to people and to `file`. */
export function vitestReports(file: string): string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
}

/** The last line, and the end of the process. */
export function end(): void {
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exit(total.failed > 0 ? 1 : 0)
}
