import { type Counts, remark } from './tally.ts'

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}
interface PlaywrightSuite {
  title: string
  file: string
  specs: { title: string; tests: { projectName: string; status: string }[] }[]
  suites?: PlaywrightSuite[]
}

function testsOf(suites: PlaywrightSuite[]): { title: string; mode: string; status: string }[] {
  return suites.flatMap(({ title: suite, file, specs, suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ projectName: mode, status }) => ({
        title: `${file} › ${suite} › ${title}`,
        mode,
        status,
      })),
    ),
    ...testsOf(inner),
  ])
}

/** Counts the tests in a Playwright report, and names each that failed, was skipped or retried. */
export function countPlaywright({ stats, suites }: PlaywrightReport): Counts {
  const tests = testsOf(suites)
  const withScript = tests.filter(({ mode }) => mode === 'script')
  const scriptOnly = withScript.filter(({ title }) => title.includes('.script.spec.ts'))
  console.log(`with JavaScript: ${withScript.length}, without: ${tests.length - withScript.length}`)
  console.log(`with JavaScript only:\n${scriptOnly.map(({ title }) => `  ${title}`).join('\n')}`)
  for (const { title, mode, status } of tests) {
    if (status === 'unexpected') remark(`failed: ${title} (${mode})`)
    if (status === 'flaky') remark(`needed a retry: ${title} (${mode})`)
    if (status === 'skipped') remark(`skipped: ${title} (${mode})`)
  }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}
