import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { listWallets, walletName } from '../ledger/wallets'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'

const nameRow = z.object({
  name: z.nullable(z.string()),
  revision: integerColumn,
  recordedAt: timestampColumn,
})
const goalRow = z.object({ slug: z.string(), title: z.nullable(z.string()) })

/**
 * Who an address is, as facts for the operators who decide about a payment to it; none for an unknown address.
 * Null if this cannot be read.
 */
export async function readRecipient(
  data: Data,
  config: Config,
  { i18n, formats }: Language,
  address: string,
): Promise<[name: string, text: string | null][] | null> {
  const ours = walletName(listWallets(config), address)
  if (ours) return [[i18n._(msg`Recipient`), i18n._(key(ours))]]
  const [names, goals] = await Promise.all([
    data.rows('published_names', nameRow, (query) => query.eq('address', address)),
    config.FUNDME_OPEN ? data.rows('published_goals', goalRow, (query) => query.eq('wallet', address)) : [],
  ])
  if (!names || !goals) return null
  return [
    ...goals.map(({ slug, title }): [string, string | null] => [i18n._(msg`Goal`), title ?? slug]),
    ...names.flatMap(({ name, recordedAt }): [string, string | null][] => [
      [i18n._(msg`Name and role`), name],
      [i18n._(msg`Named on`), formats.instant(recordedAt)],
    ]),
  ]
}
