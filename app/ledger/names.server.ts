import * as z from 'zod/mini'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { findAccount } from './accounts'
import { type FilterFault, filterFaults, type LedgerFilter, parseFilter } from './filter'
import type { Wallet } from './wallets'

/** Maximum length of a search that is looked up as a name. */
const longestName = 60
/** Maximum number of names that the page lists if a search matches several. */
const maxNames = 5

const nameRow = z.object({ address: z.string(), name: z.string() })

/**
 * The filter that parseFilter reads from the parameters. `q` may also be the name of a wallet, a part that
 * only one name contains, or the name of an account in the language of the page.
 */
export async function readFilter(
  data: Data,
  params: URLSearchParams,
  goals: boolean,
  language?: Language,
): Promise<{ filter: LedgerFilter; ignored: FilterFault[] }> {
  const parsed = parseFilter(params, goals)
  const text = params.get('q')?.trim()
  if (!text || parsed.filter.q || !parsed.ignored.includes(filterFaults.q) || text.length > longestName)
    return parsed
  const account = language && findTranslated(text, language)
  if (account) return parseFilter(withSearch(params, account), goals)
  const found = await data.rows('published_names', nameRow, (query) =>
    query
      .ilike('name', `%${text.replace(/[\\%_]/g, '\\$&')}%`)
      .order('name')
      .limit(maxNames),
  )
  const others = parsed.ignored.filter((fault) => fault !== filterFaults.q)
  if (!found) return { ...parsed, ignored: [...others, filterFaults.names] }
  const whole = found.filter(({ name }) =>
    [name, name.split(',')[0]].some((part) => part?.toLowerCase() === text.toLowerCase()),
  )
  const [match, another] = whole.length > 0 ? whole : found
  if (!match) return parsed
  if (another)
    return {
      ...parsed,
      ignored: [
        ...others,
        several(
          found.map(({ name }) => name),
          language,
        ),
      ],
    }
  return parseFilter(withSearch(params, match.address), goals)
}

function withSearch(params: URLSearchParams, q: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  changed.set('q', q)
  return changed
}

function findTranslated(text: string, { i18n, locale: { tag } }: Language): string | undefined {
  return findAccount(text, { translate: (name) => i18n._(key(name)), tag })
}

const inQuotes = /* i18n */ '"{name}"'

/** The fault for a search that matches several names. */
function several(names: string[], language: Language | undefined): FilterFault {
  const quoted = names.map((name) => language?.i18n._(key(inQuotes, { name })) ?? `"${name}"`)
  return {
    page: /* i18n */ 'Several names match: {listed}. Write more of the name. We ignored your search.',
    values: { listed: language?.formats.words(quoted, 'and') ?? quoted.join(', ') },
    file: `q matches several names: ${names.map((name) => `"${name}"`).join(', ')}.`,
  }
}

/** The names of these wallets by their address: of ours in English. Empty if they cannot be read. */
export async function readNames(
  data: Data,
  wallets: Wallet[],
  addresses: readonly string[],
): Promise<Record<string, string>> {
  const wanted = [...new Set(addresses)].filter((address) => /^0x[0-9a-f]{40}$/.test(address))
  if (wanted.length === 0) return {}
  const rows = await data
    .optional()
    .rows('published_names', nameRow, (query) => query.in('address', wanted).not('name', 'is', null))
  return Object.fromEntries([
    ...(rows ?? []).map(({ address, name }) => [address, name]),
    ...wallets.map(({ address, name }) => [address.toLowerCase(), name]),
  ])
}

const changeRow = z.object({ name: z.nullable(z.string()), recordedAt: timestampColumn })
/** A name that we gave a wallet, null if it was withdrawn, and since when. */
export type GivenName = z.infer<typeof changeRow>

/** The names that we gave the wallet with this address, the newest first; empty if they cannot be read. */
export async function listNames(data: Data, address: string | undefined): Promise<GivenName[]> {
  if (!address?.startsWith('0x')) return []
  const rows = await data.rows('published_name_changes', changeRow, (query) =>
    query.eq('address', address).order('revision', { ascending: false }).limit(100),
  )
  return rows ?? []
}
