import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { kindOf, parseLink } from '../../app/members/auth/verification.server.ts'
import { brand } from '../../app/platform/site.ts'
import { brandedFiles } from '../../scripts/brand.ts'
import { chooseWords } from './mail-language.ts'
import { textOf } from './mailbox.ts'

const folder = new URL('../templates/', import.meta.url)
const templates = readdirSync(folder).map(
  (file) => [file, readFileSync(new URL(file, folder), 'utf8')] as const,
)

/** The variables that a hosted project replaces. */
const variables: Record<string, string> = {
  SiteURL: 'https://site.example',
  TokenHash: 'pkce_0123abcd',
  Token: '123456',
  Email: 'old@example.org',
  NewEmail: 'new@example.org',
}
const kinds: Record<string, string> = {
  'confirmation.html': 'sign-up',
  'magic_link.html': 'sign-in',
  'recovery.html': 'recovery',
  'email_change.html': 'email-change',
  'invite.html': 'invite',
}
const withCode = ['confirmation.html', 'magic_link.html', 'recovery.html']

test('every kind of email has one template', () => {
  expect(templates.map(([file]) => file).sort()).toEqual(Object.keys(kinds).sort())
})

test('the templates and subjects contain the translations from the catalogs, and each file that names the brand has it', () => {
  for (const [path, text] of brandedFiles()) expect(readFileSync(path, 'utf8'), path).toBe(text)
})

test('another brand reaches every file but the format of the ledger, whose words hold for every brand', () => {
  const files = brandedFiles('Harbor Aid')
  for (const [path, text] of files) {
    expect(text, path).toMatch(path.endsWith('.toml') ? /"harbor-aid"/ : /Harbor Aid/)
    expect(text, path).not.toContain(brand)
  }
  // The old heading of ballots, a scheme of the protocol, and names in texts of translators.
  const ofFormat =
    /verify-ledger\.mjs|ledger\/.*\.(md|json)|operator-signature\.ts|glossary\.md|\.test\.tsx?$/
  const others = globSync(
    '{app,scripts,supabase,public}/**/*.{ts,tsx,mjs,sql,po,html,css,toml,json,webmanifest,svg,txt}',
  ).filter((path) => !ofFormat.test(path) && !files.has(path) && path !== 'app/platform/site.ts')
  expect(others.length).toBeGreaterThan(800)
  expect(others.filter((path) => readFileSync(path, 'utf8').includes(brand))).toEqual([])
})

test('a template is in the requested language, or in English if it has no texts in that language', () => {
  const template =
    '<p>{{ if eq (printf "%v" .Data.lang) "tr" }}Merhaba{{ else if eq (printf "%v" .Data.lang) "es" }}Hola{{ else }}Hello{{ end }}</p>'
  const words = ['tr', 'es', 'en', '', 'zh'].map((lang) => chooseWords(template, lang))
  expect(words).toEqual(['Merhaba', 'Hola', 'Hello', 'Hello', 'Hello'].map((word) => `<p>${word}</p>`))
})

/** Each template in each of its languages. */
const inLanguages = templates.flatMap(([file, html]) => {
  const codes = new Set([...html.matchAll(/\.Data\.lang\) "([\w-]+)"/g)].map(([, code = '']) => code))
  return ['en', ...codes].map((code) => [file, code, chooseWords(html, code)] as const)
})

describe.each(inLanguages)('%s in %s', (file, code, html) => {
  const filled = html.replace(/\{\{ \.(\w+) \}\}/g, (whole, name: string) => variables[name] ?? whole)
  const text = textOf(filled)

  test('uses only variables that a hosted project replaces', () => {
    expect(filled).not.toMatch(/\{\{|\}\}/)
    expect(html).not.toContain('ConfirmationURL')
  })

  test('has one link, which leads to the page of its kind', () => {
    const links = [...filled.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'))
    expect(links).toHaveLength(1)
    const url = new URL(links[0] as string)
    expect(url.origin + url.pathname).toBe('https://site.example/auth/confirm')
    const link = parseLink(url.searchParams)
    expect(link?.token_hash).toBe(variables.TokenHash)
    expect(link && kindOf(link)).toBe(kinds[file])
  })

  test('has the link and the code on separate lines in plain text', () => {
    expect(text).not.toMatch(/[<>{}]|&\w+;/)
    expect(text).toMatch(/^https:\/\/site\.example\/auth\/confirm\?\S+$/m)
    expect(/^123456$/m.test(text)).toBe(withCode.includes(file))
    if (code === 'en') expect(text).toMatch(/Didn't (sign up|ask for this|expect this)\?/)
  })

  test('loads nothing in a mail client', () => {
    expect(html).not.toMatch(/<img|<link|<script|src=|url\(/)
  })
})
