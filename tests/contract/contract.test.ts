import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readProjects } from '../real/project.ts'
import { hostedPrograms } from '../support/hosted-services.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { isRelease, keyOf, perform, readRecordings, scenariosFor, versionOf } from './recording.ts'
import type { Exchange, Service } from './service.ts'

/**
 * Compares each response that the site relies on with a recording of the real auth service (supabase/auth),
 * field by field. The responses come from the embedded backend, or from the projects or services that the environment
 * names.
 */
const recordings = readRecordings()
const projects = await readProjects()

const byCall = (exchanges: Exchange[]) =>
  Object.fromEntries(exchanges.map(({ call, ...exchange }) => [call, exchange]))

for (const confirmations of [false, true]) {
  const project = projects.find((each) => each.confirmations === confirmations)
  if (projects.length && !project) continue
  const isReal = project ? isRelease(await versionOf(project)) : hostedPrograms() !== null

  describe(confirmations ? 'where addresses are confirmed' : 'where addresses are not confirmed', () => {
    let service: Service
    let close = async () => {}
    beforeAll(async () => {
      if (project) service = project
      else {
        // On http, the real service accepts messages from wallets only for localhost.
        const siteUrl = 'http://localhost:8787'
        const backend = await startTemporary({ confirmations, siteUrl }, isReal ? 'any' : 'pglite')
        service = { ...backend, siteUrl, confirmations }
        close = backend.close
      }
    })
    afterAll(() => close())

    for (const scenario of scenariosFor(confirmations)) {
      const recorded = recordings.scenarios[keyOf(scenario, { confirmations } as Service)]
      test.skipIf(scenario.notEmulated && !isReal)(scenario.name, async () => {
        expect(recorded, 'a recording exists').toBeDefined()
        expect(byCall(await perform(scenario, service))).toEqual(byCall(recorded ?? []))
      })
    }
  })
}

test('the recordings contain no token, address or secret', () => {
  const text = JSON.stringify(recordings)
  expect(text).not.toMatch(/eyJ[\w-]{10}/)
  expect(text).not.toMatch(/[\w-]+@example\.com/)
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/)
})
