import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Scenario, scenarios } from './scenarios.ts'
import { type Exchange, Recorder, type Service } from './service.ts'

const file = fileURLToPath(new URL('recordings.json', import.meta.url))

/** Recordings of a real service. `scenarios` has the exchanges keyed as `keyOf` specifies. */
export interface Recordings {
  service: string
  version: string
  recorded: string
  scenarios: Record<string, Exchange[]>
}

export function readRecordings(): Recordings {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The scenarios that a project with or without confirmations can run. */
export function scenariosFor(confirmations: boolean): Scenario[] {
  return scenarios.filter((scenario) => (scenario.confirmations ?? confirmations) === confirmations)
}

/** The key of a recording. A scenario that runs in both modes has a recording for each mode. */
export function keyOf({ name }: Scenario, { confirmations }: Service): string {
  return confirmations ? `${name}, with confirmations` : name
}

/** Runs a scenario, and returns its exchanges. */
export async function perform(scenario: Scenario, service: Service): Promise<Exchange[]> {
  const recorder = new Recorder(service)
  await scenario.run(recorder)
  return recorder.exchanges
}

/** The version that the service states. */
export async function versionOf({ url, publishableKey }: Service): Promise<string> {
  const response = await fetch(`${url}/auth/v1/health`, { headers: { apikey: publishableKey } })
  return ((await response.json()) as { version: string }).version
}

/** Whether a version is a release of the real service. The embedded backend states no version. */
export function isRelease(version: string): boolean {
  return /^v\d/.test(version)
}

/**
 * Records the scenarios of these services again, and prints the keys of the recordings that differ.
 * Recordings for a mode that no service has are kept. The file is written if a recording or the version
 * differs. Throws for the embedded backend.
 */
export async function record(services: Service[]): Promise<void> {
  const old = readRecordings()
  const scenarios = { ...old.scenarios }
  let version = old.version
  for (const service of services) {
    version = await versionOf(service)
    if (!isRelease(version)) throw new Error(`${service.url} is not the real service: nothing was recorded`)
    for (const scenario of scenariosFor(service.confirmations))
      scenarios[keyOf(scenario, service)] = await perform(scenario, service)
  }
  const differing = Object.keys(scenarios).filter(
    (key) => !isDeepStrictEqual(JSON.parse(JSON.stringify(scenarios[key])), old.scenarios[key]),
  )
  console.log(`recordings that differ: ${differing.join(', ') || 'none'}`)
  if (differing.length === 0 && version === old.version) return
  const recorded = new Date().toISOString().slice(0, 10)
  writeFileSync(file, `${JSON.stringify({ ...old, version, recorded, scenarios }, null, 2)}\n`)
  execFileSync('biome', ['format', '--write', file])
}
