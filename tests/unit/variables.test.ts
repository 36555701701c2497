import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, variableNames } from '../../app/env.server.ts'

/** A clock that runs faster is for tests alone, and is set by nobody else. */
const forTests = ['CLOCK_RATE', 'CLOCK_START']
const least = {
  SITE_URL: 'https://a.example',
  SUPABASE_URL: 'https://b.example',
  SUPABASE_PUBLISHABLE_KEY: 'x',
}

test('.dev.vars.example has every variable, each with a comment', () => {
  const lines = readFileSync('.dev.vars.example', 'utf8').split('\n')
  const assigned = lines.flatMap((line, at) => {
    const name = /^([A-Z_]+)=/.exec(line)?.[1]
    return name ? [{ name, before: lines[at - 1] }] : []
  })
  expect(assigned.map(({ name }) => name).sort()).toEqual(
    variableNames.filter((name) => !forTests.includes(name)).sort(),
  )
})

test('empty values are the same as none', () => {
  const empty = Object.fromEntries(variableNames.map((name) => [name, '']))
  expect(readConfig({ ...empty, ...least })).toEqual(readConfig({ ...least }))
})

test('a bad value names its variable, and does not show itself', () => {
  const env = { ...least, SUPABASE_URL: 'ftp://secret-host', TREASURY_WALLET: '0xsecret' }
  expect(() => readConfig(env)).toThrow(/SUPABASE_URL.*TREASURY_WALLET/)
  expect(() => readConfig(env)).not.toThrow(/secret/)
})
