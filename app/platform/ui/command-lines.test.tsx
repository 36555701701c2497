import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CommandLines } from './command-lines.tsx'

test('keeps the text, and breaks a line only between words and after a slash in a URL', () => {
  const text = 'curl -fO https://example.org/log/vkey\nnode verify-ledger.mjs --id 7'
  const html = renderToStaticMarkup(<CommandLines>{text}</CommandLines>)
  expect(html.replace(/<[^>]*>/g, '')).toBe(text)
  expect([...html.matchAll(/<span[^>]*>([^<]*)<\/span>/g)].map(([, part]) => part)).toEqual([
    'curl',
    '-fO',
    'https://example.org/',
    'log/',
    'vkey',
    'node',
    'verify-ledger.mjs',
    '--id',
    '7',
  ])
})
