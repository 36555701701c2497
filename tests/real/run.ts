/**
 * `npm run test:real`: with POSTGREST_BIN, the tests with a hosted project's services as their backends (README.md).
 * Otherwise the contract suite and the browser tests against the projects that the environment names
 * (docs/deploying.md). `answers` compares the data API of the embedded backend with PostgREST (README.md). `--record` records the service's responses again first. With SUPABASE_DB_URL, the Supabase CLI
 * also checks the database: applied migrations and functions. Other arguments are passed to Playwright, for example
 * `npm run test:real -- --grep 'sign in'`. With GETH_BIN, the suites of the chain run against this node, also without a
 * project.
 */
import { execFileSync } from 'node:child_process'
import { installBrowser } from '../../scripts/browser.ts'
import { build } from '../../scripts/build.ts'
import { isRelease, record, versionOf } from '../contract/recording.ts'
import { assertPrograms, hostedPrograms } from '../support/hosted-services.ts'
import { run } from '../support/process.ts'
import { compareAnswers } from './answers.ts'
import { cli } from './cli.ts'
import { assertSiteUrlIsFree, readProjects } from './project.ts'
import { printReport } from './report.ts'
import { startByHand } from './start.ts'
import { runSuites } from './suites.ts'

const given = process.argv.slice(2)
if (given[0] === 'answers') process.exit((await compareAnswers(given.slice(1))) ? 0 : 1)
const programs = hostedPrograms()
if (programs) {
  console.log(assertPrograms(programs))
  await build()
  if (given[0] === 'start') {
    await startByHand()
    process.exit()
  }
  process.exit((await runSuites(given)) ? 0 : 1)
}
const projects = await readProjects()
const node = process.env.GETH_BIN
if (projects.length === 0 && !node)
  throw new Error(
    'None of SUPABASE_URL (docs/deploying.md lists what a project needs), POSTGREST_BIN (tests/real/README.md) and GETH_BIN is set',
  )
if (node) console.log(versionOfNode(node))
for (const project of projects) {
  await assertSiteUrlIsFree(project)
  const mode = project.confirmations ? 'confirms addresses' : 'does not confirm addresses'
  const version = await versionOf(project)
  console.log(`${project.url} (${isRelease(version) ? version : 'embedded backend'}) ${mode}`)
}
if (given.includes('--record')) await record(projects)

await build()
const suites: [string, ...string[]][] = []
if (node) suites.push(['vitest', 'run', '--reporter=verbose', 'tests/chain/'])
if (projects.length > 0) {
  installBrowser()
  suites.push(['vitest', 'run', 'tests/contract/'])
  suites.push(['playwright', 'test', ...given.filter((argument: string) => argument !== '--record')])
}
const database = process.env.SUPABASE_DB_URL
if (database) {
  const remote = `--remote=${database}`
  suites.push([...cli, 'db', 'push', '--dry-run', remote])
  suites.push([
    ...cli,
    'db',
    'lint',
    '--schema',
    'public,private',
    '--level',
    'warning',
    '--fail-on',
    'warning',
    remote,
  ])
}
let passed = true
for (const suite of suites) passed = (await run(suite)).succeeded && passed
const hasConfirming = projects.some(({ confirmations }) => confirmations)
if (projects.length > 0) printReport('test-results/e2e.json', hasConfirming)
process.exit(passed ? 0 : 1)

function versionOfNode(program: string): string {
  try {
    return execFileSync(program, ['version'], { encoding: 'utf8' }).split('\n').slice(0, 2).join(' ')
  } catch (error) {
    throw new Error(`GETH_BIN must be the program of go-ethereum: ${(error as Error).message}`)
  }
}
