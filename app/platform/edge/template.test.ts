import { expect, test } from 'vitest'
import { compose, createTemplate, readTemplate } from './template'

const markers = { session: '#1', signedOut: '#2', signedIn: '#3', accountEnd: '#4', toast: '#5' }
const html = '<html data-session="#1"><nav>#2Anmelden – ✓#3Dashboard#4</nav>#5<main>ü</main></html>'
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('the slots of a page are filled with the data of its visitor', () => {
  const template = createTemplate(html, markers)
  if (!template) throw new Error('no template')
  const toast = new TextEncoder().encode('<b>ä</b>')
  expect(text(compose(template, { session: '', toast: null }))).toBe(
    '<html data-session=""><nav>Anmelden – ✓</nav><main>ü</main></html>',
  )
  expect(text(compose(template, { session: 'abc due', toast }))).toBe(
    '<html data-session="abc due"><nav>Dashboard</nav><b>ä</b><main>ü</main></html>',
  )
  expect(readTemplate(template.bytes, template.cuts.join())).toEqual(template)
})

test('a page with missing, repeated or wrongly ordered markers has no template', () => {
  for (const wrong of [
    html.replace('#3', ''),
    html.replace('ü', '#5'),
    html.replace('ü', '#1'),
    html.replace('#2', '#3').replace('#3D', '#2D'),
    '',
  ])
    expect(createTemplate(wrong, markers), wrong).toBeNull()
})
