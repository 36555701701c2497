/**
 * `npm run check`: runs in parallel the checks that start no site and no browser. `npm run check -- types`
 * runs the checks whose name contains 'types'. Prints a line for each check, and the output of each failed
 * check.
 */
import { writeFileSync } from 'node:fs'
import { type Finished, run } from './support/process.ts'

interface Result {
  name: string
  passed: boolean
}

/** The file for the bill of materials of the lock file (CycloneDX). git ignores it. */
const billOfMaterials = 'materials.cdx.json'

const checks: Record<string, () => Promise<Finished>> = {
  'format and lint': () => run(['biome', 'ci', '--error-on-warnings', '--colors=off'], { echo: false }),
  // TypeScript 7 takes a third of the time that TypeScript 5 takes. It has no API yet, so tests/boundaries.ts
  // and Remix use TypeScript 5. Each checker reads the large types of the database separately: the default of
  // four checkers takes twice the processor time.
  types: () =>
    run(['node', 'node_modules/typescript-7/bin/tsc', '--noEmit', '--checkers', '2'], { echo: false }),
  'dead code': () => run(['knip', '--no-config-hints'], { echo: false }),
  boundaries: () => run(['node', 'tests/boundaries.ts'], { echo: false }),
  messages: () => run(['node', 'tests/messages.ts'], { echo: false }),
  deployment: () => run(['node', 'tests/deployment.ts'], { echo: false }),
  'bill of materials': async () => {
    const finished = await run(
      ['npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'],
      { echo: false },
    )
    if (finished.succeeded) writeFileSync(billOfMaterials, finished.output)
    return finished
  },
}

/** Runs the checks whose name contains one of the words; without words, all checks. */
export async function runChecks(words: string[] = []): Promise<Result[]> {
  const chosen = Object.entries(checks).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  return Promise.all(
    chosen.map(async ([name, check]) => {
      const startedAt = Date.now()
      const { succeeded, output } = await check()
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${succeeded ? '✓' : '✗'} ${name} (${seconds} s)${succeeded ? '' : `\n${output}`}`)
      return { name, passed: succeeded }
    }),
  )
}

if (import.meta.main) {
  const results = await runChecks(process.argv.slice(2))
  process.exit(results.length > 0 && results.every(({ passed }) => passed) ? 0 : 1)
}
