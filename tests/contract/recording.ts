import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Scenario, scenarios } from './scenarios.ts'
import { type Exchange, Recorder, type Service } from './service.ts'

const file = fileURLToPath(new URL('recordings.json', import.meta.url))

/** Responses of a real service by the key of a scenario. */
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

/** A scenario that runs in both modes has a recording of each. */
export function keyOf({ name }: Scenario, { confirmations }: Service): string {
  return confirmations ? `${name}, with confirmations` : name
}

/** Runs a scenario, and returns its exchanges. */
export async function perform(scenario: Scenario, service: Service): Promise<Exchange[]> {
  const recorder = new Recorder(service)
  await scenario.run(recorder)
  return recorder.exchanges
}

/** The version that the service reports. */
export async function versionOf({ url, publishableKey }: Service): Promise<string> {
  const response = await fetch(`${url}/auth/v1/health`, { headers: { apikey: publishableKey } })
  return ((await response.json()) as { version: string }).version
}

/** Whether a version is one of the real service; the embedded backend reports none. */
export function isRelease(version: string): boolean {
  return /^v\d/.test(version)
}

/** Records the scenarios of these services again. Recordings of a mode that no service has are kept. */
export async function record(services: Service[]): Promise<void> {
  const kept = readRecordings()
  for (const service of services) {
    const version = await versionOf(service)
    if (!isRelease(version)) throw new Error(`${service.url} is not the real service: nothing was recorded`)
    kept.version = version
    for (const scenario of scenariosFor(service.confirmations))
      kept.scenarios[keyOf(scenario, service)] = await perform(scenario, service)
  }
  kept.recorded = new Date().toISOString().slice(0, 10)
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}
