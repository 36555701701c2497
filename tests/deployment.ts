/**
 * Checks that the platform would accept the build. `wrangler deploy --dry-run` reads wrangler.toml, collects
 * the modules and assets, lists the bindings, and sends nothing. Throws an error for the first fault.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { build } from '../scripts/build.ts'
import { run } from './support/process.ts'

/** The limit of the platform's free plan for a compressed worker. */
const maxWorkerKib = 3 * 1024
/** A third of the limit, so that the check fails long before a deployment fails. */
const ourWorkerKib = 1024

interface Configuration {
  compatibility_date: string
  ratelimits: { name: string }[]
  vars: Record<string, string>
}

await build()
const { succeeded, output } = await run(
  ['wrangler', 'deploy', '--dry-run', '--outdir', 'test-results/deployment'],
  { echo: false, env: { WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', CI: '1' } },
)
if (!succeeded) throw new Error(`wrangler refuses the deployment:\n${output}`)

const size = /gzip: ([\d.]+) KiB/.exec(output)?.[1]
if (!size) throw new Error(`wrangler names no size:\n${output}`)
if (Number(size) > ourWorkerKib)
  throw new Error(
    `The worker has ${size} KiB compressed, the limit is ${ourWorkerKib} (the platform's: ${maxWorkerKib})`,
  )

const configuration = parse(readFileSync('wrangler.toml', 'utf8')) as unknown as Configuration
const bindings = [...configuration.ratelimits.map(({ name }) => name), ...Object.keys(configuration.vars)]
const missing = bindings.filter((name) => !output.includes(`env.${name} `))
if (missing.length) throw new Error(`The deployment has no binding ${missing.join(', ')}:\n${output}`)

const { compatibility_date } = configuration
if (Date.parse(compatibility_date) > Date.now())
  throw new Error(`The platform does not accept a compatibility date of the future: ${compatibility_date}`)
console.log(
  `${size} KiB compressed, bindings ${bindings.join(', ')}, compatibility date ${compatibility_date}`,
)
