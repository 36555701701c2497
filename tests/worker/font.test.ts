import { globSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { allLocales } from '../../app/platform/locales/locales.ts'
import { fontsOf } from '../../app/platform/rendering/fonts.ts'
import { startSiteWithBackend } from '../support/site.ts'

const site = await startSiteWithBackend({ demo: true })
afterAll(() => site.close())

/** The tags of the known tables (WOFF 2.0, 5.1), each with a space after it. */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'

/** The code points of a WOFF2 file's glyphs (W3C WOFF 2.0, 4 and 5), by its cmap of format 4 or 12. */
function glyphsOf(file: Buffer): Set<number> {
  let at = 48
  const readLength = () => {
    let value = 0
    for (;;) {
      const byte = file[at++] as number
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  const tables = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = file[at++] as number
    const index = flags & 63
    const tag = index === 63 ? file.toString('latin1', at, at + 4) : knownTags.slice(index * 5, index * 5 + 4)
    if (index === 63) at += 4
    const length = readLength()
    // For glyf and loca, version 0 means transformed. For every other table, version 0 means not transformed.
    const transformed = tag === 'glyf' || tag === 'loca' ? flags >> 6 === 0 : flags >> 6 !== 0
    return { tag, length: transformed ? readLength() : length }
  })
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)))
  const before = tables.slice(
    0,
    tables.findIndex(({ tag }) => tag === 'cmap'),
  )
  const cmap = data.subarray(before.reduce((sum, { length }) => sum + length, 0))
  const glyphs = new Set<number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8))
    if (table.readUInt16BE(0) === 4) {
      const count = table.readUInt16BE(6)
      for (let segment = 0; segment < count; segment += 2) {
        const [end, start] = [table.readUInt16BE(14 + segment), table.readUInt16BE(16 + count + segment)]
        for (let code = start; code <= end && code < 0xffff; code++) glyphs.add(code)
      }
    } else if (table.readUInt16BE(0) === 12)
      for (let group = 0; group < table.readUInt32BE(12); group++)
        for (
          let code = table.readUInt32BE(16 + group * 12);
          code <= table.readUInt32BE(20 + group * 12);
          code++
        )
          glyphs.add(code)
  }
  return glyphs
}

/** The files of the display font, in the order of their faces in styles.css. */
const files = ['basic', 'latin', 'turkish', 'spanish']
const read = (name: string) => readFileSync(`app/platform/fonts/bricolage-grotesque-${name}.woff2`)

/** Returns the character ranges that styles.css declares for a file. */
function rangesOf(name: string): [number, number][] {
  const face = readFileSync('app/styles.css', 'utf8')
    .split('@font-face')
    .find((one) => one.includes(`bricolage-grotesque-${name}.woff2`)) as string
  const list = /unicode-range:([^;]*);/.exec(face)?.[1] as string
  return list.split(',').map((range) => {
    const [first = '', last = first] = range.trim().slice(2).split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
}

test('preloads at most 15 kB of the display font, with ASCII and the characters of quotations and amounts', () => {
  expect(read('basic').length).toBeLessThanOrEqual(15_000)
  const ranges = rangesOf('basic')
  const inBasic = (code: number) => ranges.some(([from, to]) => code >= from && code <= to)
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  for (const character of [...ascii, ...'·–—‘’“”…−'])
    expect(inBasic(character.codePointAt(0) as number), character).toBe(true)
  const glyphs = glyphsOf(read('basic'))
  for (const [from, to] of ranges)
    for (let code = from; code <= to; code++) expect(glyphs.has(code), String.fromCodePoint(code)).toBe(true)
  // If two font faces declare the same character, a browser loads the later face.
  for (const [from, to] of files.slice(1).flatMap(rangesOf))
    for (let code = from; code <= to; code++) expect(inBasic(code), String.fromCodePoint(code)).toBe(false)
  expect(globSync('build/client/assets/bricolage-grotesque-*.woff2')).toHaveLength(files.length)
})

/** Returns the file from which a browser takes a character: the file of the last face that declares it. */
function fileOf(code: number): string | undefined {
  return files.findLast((name) => rangesOf(name).some(([from, to]) => code >= from && code <= to))
}

test('every letter of a language has a glyph in the font file that declares the letter, and this file is preloaded unless the letter is rare', () => {
  const languages = [...allLocales.values()].filter(({ systemFont }) => !systemFont)
  const catalogs = languages.flatMap((locale) =>
    globSync(`app/platform/locales/${locale.code}/messages.po`).map((path) => [locale, path] as const),
  )
  expect(catalogs.length).toBeGreaterThan(1)
  for (const [locale, path] of catalogs) {
    const preloaded = fontsOf(locale).map((url) => /bricolage-grotesque-(\w+)/.exec(url)?.[1])
    const translations = readFileSync(path, 'utf8').matchAll(/^msgstr "(.*)"$/gm)
    const letters = [...translations].flatMap(([, text = '']) => text.match(/\p{Letter}/gu) ?? [])
    const found = [...new Set(letters)].map((letter) => {
      const code = letter.codePointAt(0) as number
      const file = fileOf(code)
      return { letter, file, lacks: !file || !glyphsOf(read(file)).has(code) }
    })
    expect([path, found.filter(({ lacks }) => lacks)]).toEqual([path, []])
    const late = found.filter(({ file }) => !preloaded.includes(file))
    const share =
      letters.filter((letter) => late.some((one) => one.letter === letter)).length / letters.length
    expect(share, `${path}: ${late.map(({ letter }) => letter)}`).toBeLessThan(0.0001)
  }
})

test('every character that a page sets in the display font has a glyph in one of the files of the font', async () => {
  const faces = files.map((name) => ({ ranges: rangesOf(name), glyphs: glyphsOf(read(name)) }))
  const paths = [
    '/',
    '/cz-call',
    '/voting',
    '/voting/education',
    '/giveback',
    '/giveback/school-bags',
    '/donate',
  ]
    .concat([
      '/transparency',
      '/transparency/1',
      '/transparency/verify',
      '/transparency/api',
      '/about',
      '/risk',
    ])
    .concat(['/tokens', '/privacy', '/terms', '/contact', '/auth', '/unknown'])
  let headings = 0
  for (const path of paths) {
    const html = await (await fetch(site.url + path)).text()
    const displayed =
      /<(h[1-3]|\w+ [^>]*class="[^"]*font-display[^"]*")[^>]*>([\s\S]*?)<\/(?:h[1-3]|p|a|span|dt|strong|legend)>/g
    for (const [, , inner = ''] of html.matchAll(displayed)) {
      headings++
      const text = inner
        .replace(/<[^>]*>/g, '')
        .replaceAll('&#x27;', "'")
        .replaceAll('&amp;', '&')
      for (const character of text) {
        const code = character.codePointAt(0) as number
        const found = faces.some(
          ({ ranges, glyphs }) => ranges.some(([from, to]) => code >= from && code <= to) && glyphs.has(code),
        )
        expect(found, `${path}: ${JSON.stringify(character)} in ${text}`).toBe(true)
      }
    }
  }
  expect(headings).toBeGreaterThan(60)
})
