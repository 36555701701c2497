import { globSync, readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import type { Plugin } from 'vite'
import { impactPools, slugPattern } from '../../app/platform/impact-pools.ts'
import { publishedLocales } from '../../app/platform/locales/locales.ts'

const table = 'app/platform/impact-pools.ts'
/** What has a name among the same names as pools: other accounts and shares, topics of followers, uses of money. */
const taken = new Set(
  `treasury donation-wallet goals reserve cz-call month opens gifts none other-causes dreams costs
  donation gift spending cost tax dream move other goal-gift exchange returned`.split(/\s+/),
)
type Pool = Pick<
  (typeof impactPools)[number],
  'title' | 'category' | 'description' | 'detailedDescription' | 'beneficiaries'
> & { slug: string; walletVariable: string }

/** Refuses a build whose table of pools has a fault. */
export function pools(): Plugin {
  return {
    name: 'goodblock:pools',
    buildStart() {
      const faults = poolFaults(impactPools, (path) => readFileSync(path, 'utf8'))
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}

/** What a pool lacks, each as 'file:line: sentence'. `read`: the text of a file of the repository. */
export function poolFaults(given: readonly Pool[], read: (path: string) => string): string[] {
  const lines = read(table).split('\n')
  /** The line of the table that has this text, from the first line of its pool on. */
  const at = (slug: string, text = slug) => {
    const first = lines.findIndex((line) => line.includes(`slug: '${slug}'`))
    const found = lines.findIndex((line, place) => place >= first && line.includes(text.slice(0, 40)))
    return `${table}:${(found < 0 ? first : found) + 1}`
  }
  const hues = read('app/platform/ui/hues.css')
  const catalogs = globSync('app/platform/locales/*/messages.po').flatMap((path) => {
    const [, code = ''] = /(\w+)\/messages\.po$/.exec(path) ?? []
    if (!publishedLocales.includes(code)) return []
    const parsed = formatter().parse(read(path), { locale: code, sourceLocale: 'en', filename: path })
    return [{ path, texts: parsed as Record<string, { translation?: string }> }]
  })
  return given.flatMap(
    ({ slug, title, category, description, detailedDescription, beneficiaries, walletVariable }, place) => {
      const isTwice = (name: 'slug' | 'walletVariable', value: string) =>
        given.findIndex((pool) => pool[name] === value) < place
      const texts = [title, category, description, ...detailedDescription, beneficiaries]
      return [
        !new RegExp(`^${slugPattern}$`).test(slug) &&
          `${at(slug)}: the slug ${slug} may have a–z and hyphens only`,
        (taken.has(slug) || isTwice('slug', slug)) && `${at(slug)}: the slug ${slug} is taken`,
        isTwice('walletVariable', walletVariable) &&
          `${at(slug, `'${walletVariable}'`)}: another pool has the variable ${walletVariable}`,
        hues.split(`[data-hue="${slug}"]`).length < 3 &&
          `${at(slug)}: app/platform/ui/hues.css has no hue for ${slug} in both themes`,
        ...catalogs.flatMap(({ path, texts: known }) =>
          texts
            .filter((text) => !known[text]?.translation)
            .map((text) => `${at(slug, text)}: ${path} lacks '${text.slice(0, 40)}'`),
        ),
      ].filter((fault) => fault !== false)
    },
  )
}
