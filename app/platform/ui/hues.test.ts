import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { impactPools } from '../impact-pools.ts'

const styles = readFileSync('app/styles.css', 'utf8')
const hues = readFileSync('app/platform/ui/hues.css', 'utf8')

/** The light and the dark values that `pattern` finds, by name. */
function themes(css: string, pattern: RegExp): Record<'light' | 'dark', Map<string, string>> {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
  const read = (part: string) =>
    new Map([...part.matchAll(pattern)].map(([, name = '', value = '']) => [name, value] as const))
  return { light: read(light), dark: read(dark) }
}

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const backgrounds = themes(styles, /--color-(paper|panel|raised): (#[0-9a-f]{6});/g)
const edges = themes(styles, /--color-(edge): (#[0-9a-f]{6});/g)
const causes = themes(hues, /\[data-hue="([a-z-]+)"\] \{\s*--hue: (#[0-9a-f]{6});/g)

test.each(['light', 'dark'] as const)('each hue has enough contrast with every %s background', (theme) => {
  expect(backgrounds[theme].size).toBe(3)
  const marks = [...causes[theme], ...edges[theme]]
  const low = marks.flatMap(([name, hue]) =>
    [...backgrounds[theme]]
      .filter(([, background]) => contrast(hue, background) < 3)
      .map(([on]) => `${name} on ${on}`),
  )
  expect(low).toEqual([])
})

test('each pool has its own hue in both themes', () => {
  for (const theme of ['light', 'dark'] as const) {
    const slugs = [...causes[theme].keys()]
    expect(slugs).toEqual([...impactPools.map(({ slug }) => slug), 'other-causes', 'dreams', 'costs'])
    expect(new Set(causes[theme].values()).size).toBe(slugs.length)
  }
})
