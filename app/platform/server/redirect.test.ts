import { expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

const site = 'https://goodblock.example'

test.each(['/dashboard', '/dashboard?edit=profile', '/transparency?type=donation&from=2026-01-01', '/a//b'])(
  'the path %s is safe and stays unchanged',
  (path) => {
    expect(safeRedirect(path, site)).toBe(path)
  },
)

test.each([
  null,
  undefined,
  '',
  'dashboard',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  'https:evil.example',
  'https://evil.example/dashboard',
  'https://goodblock.example@evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/auth',
  '/auth?redirectTo=/auth',
  '/auth/sign-out',
  '/AUTH/sign-out',
  '/%61uth/sign-out',
  '/auth%2fsign-out',
  '/%ff',
])('the requested page %o becomes the dashboard', (path) => {
  expect(safeRedirect(path, site)).toBe('/dashboard')
})

test('for any input, the result is a path on this site', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '//',
    '%5c',
    '%2f',
    '%0d%0a',
    '\n',
    '\t',
    '@',
    ':',
    'evil.example',
    'https:',
    '?',
    '#',
    '\0',
    ' ',
    'ü',
  ]
  let seed = 20261121
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % limit
  }
  for (let round = 0; round < 20_000; round++) {
    const asked = Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join('')
    const path = safeRedirect(asked, site)
    expect(path, JSON.stringify(asked)).toMatch(/^\/(?![/\\])/)
    expect(new URL(path, site).origin, JSON.stringify(asked)).toBe(site)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not carry them
    expect(path, JSON.stringify(asked)).not.toMatch(/[\0-\x1f]/)
  }
})
