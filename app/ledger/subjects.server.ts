import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import {
  addressIn,
  containing,
  filled,
  listed,
  type Source,
  type Subject,
  type Typed,
  withoutNull,
} from '../acts/forms/subject'
import { readHash } from '../platform/forms/hash'
import { findPool, impactPools } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import { type Cents, centsAt } from '../platform/money'
import {
  directionColumn,
  integerColumn,
  moneyColumn,
  timestampColumn,
} from '../platform/server/columns.server'
import type { TokenAmount } from '../platform/tokens'
import { tokenColumns, withTokens } from './token-columns.server'
import { ownTypes } from './transaction-types'
import { typeLabel } from './transactions'

const updateRow = z.pipe(
  z.object({
    poolSlug: z.string(),
    number: integerColumn,
    revision: integerColumn,
    publishedAt: timestampColumn,
    text: z.nullable(z.string()),
    links: z.nullable(z.string()),
    helping: z.nullable(integerColumn),
    helpingSource: z.nullable(z.string()),
  }),
  z.transform(
    ({ poolSlug: pool, number, revision, publishedAt, text, links, helping, helpingSource }) =>
      ({ i18n, formats, href }: Language): Subject => ({
        subject: `${pool}/${number}`,
        title: i18n._(
          updateTitle(i18n._(key(findPool(pool)?.title ?? pool)), number, formats.day(publishedAt)),
        ),
        href: href(`/voting/${pool}`),
        facts: [
          [i18n._(msg`Text`), text],
          ...filled(i18n._(msg`Links`), links),
          ...filled(i18n._(msg`Number of people or animals helped`), helping?.toString()),
          ...filled(i18n._(msg`Source of that number`), helpingSource),
        ],
        values: withoutNull({
          pool,
          text,
          links,
          dated: publishedAt.toISOString(),
          helping: helping?.toString(),
          helping_source: helpingSource,
        }),
        version: revision,
      }),
  ),
)

const updateTitle = (pool: string, number: number, day: string) => msg`${pool}, update ${number}, ${day}`

export const updates: Source = {
  // The updates of a goal belong to its member: no one can correct them.
  read: async (data, subject) => {
    const [, pool = '', number] = /^([a-z-]{1,50})\/(\d{1,9})$/.exec(subject) ?? []
    if (!number || !findPool(pool)) return []
    const [rows, consent] = await Promise.all([
      data.rows('published_updates', updateRow, (query) =>
        query.eq('pool_slug', pool).eq('number', Number(number)),
      ),
      data.call('read_consent', z.string(), { subject }, { get: true }),
    ])
    if (!rows || consent === null) return null
    return rows.map((row) => (language) => {
      const update = row(language)
      const person = { person: consent ? 'yes' : 'no', consent }
      return { ...update, values: { ...update.values, ...person } }
    })
  },
  find: (data, words) =>
    data.rows('published_updates', updateRow, (query) => {
      const pools = impactPools.map(({ slug }) => slug)
      const newest = query.in('pool_slug', pools).order('published_at', { ascending: false }).limit(listed)
      return words ? newest.ilike('text', containing(words)) : newest
    }),
  search: msg`Words of the update`,
}

const paymentRow = z.pipe(
  z.object({
    ...tokenColumns,
    id: integerColumn,
    occurredAt: timestampColumn,
    account: z.string(),
    counterAccount: z.nullable(z.string()),
    direction: directionColumn,
    type: z.string(),
    amountUsd: z.nullable(moneyColumn),
    rateUsd: z.nullable(z.string()),
    rateSource: z.nullable(z.string()),
    fromAddress: z.string(),
    toAddress: z.string(),
    txHash: z.string(),
    chainId: integerColumn,
    ordinal: integerColumn,
    revision: integerColumn,
    poolSlug: z.nullable(z.string()),
    proofUrl: z.nullable(z.string()),
    note: z.nullable(z.string()),
  }),
  z.transform((columns) => ({ i18n, formats, href }: Language, { rate }: Typed = {}): Subject => {
    const row = withTokens(columns)
    const worth = row.tokens && rate ? worthAt(row.tokens, rate) : null
    const typeOf = (type: string) => i18n._(key(typeLabel(type)))
    const { id } = row
    const [type, day] = [typeOf(row.type), formats.day(row.occurredAt)]
    const allowed = typesOf(row)
    const isDonationOutside = row.counterAccount === null && allowed.includes('donation')
    return {
      subject: `${row.chainId}/${row.txHash}/${row.ordinal}`,
      title: i18n._(msg`Payment ${id}: ${type}, ${day}`),
      href: href(`/transparency/${id}`),
      facts: [
        [i18n._(msg`Amount`), row.tokens ? formats.tokens(row.tokens, 18) : i18n._(msg`unknown`)],
        [
          i18n._(msg`Value`),
          row.amountUsd === null ? i18n._(msg`None yet`) : formats.exactDollars(row.amountUsd),
        ],
        ...(worth === null || row.tokens === null
          ? []
          : [
              [
                i18n._(msg`Value at the proposed rate`),
                `${formats.tokens(row.tokens, 18)} × $${rate} = ${formats.exactDollars(worth)}`,
              ] satisfies [string, string],
            ]),
        [i18n._(msg({ message: 'From', context: 'wallet' })), row.fromAddress],
        [i18n._(msg({ message: 'To', context: 'wallet' })), row.toAddress],
        [i18n._(msg`Type`), type],
        [i18n._(msg`Purpose`), row.note],
        ...filled(i18n._(msg`Link to a proof`), row.proofUrl),
        ...filled(i18n._(msg`Dollars for one token`), row.rateUsd),
        ...filled(i18n._(msg`Who says so`), row.rateSource),
      ],
      values: withoutNull({
        type: row.type,
        pool: row.poolSlug,
        note: row.note,
        proof: row.proofUrl,
        rate: row.rateUsd,
        rate_source: row.rateSource,
      }),
      version: row.revision,
      options: { type: allowed.map((type) => ({ value: type, label: key(typeLabel(type)) })) },
      without: isDonationOutside ? [] : ['pool'],
    }
  }),
)

/** The value of an amount at an entered rate; null for a rate that the database refuses. */
function worthAt({ amount, decimals }: TokenAmount, rate: string): Cents | null {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(rate) ?? []
  if (whole === undefined) return null
  const cents = centsAt(amount, decimals, { units: BigInt(whole + fraction), decimals: fraction.length })
  return cents <= Number.MAX_SAFE_INTEGER ? Number(cents) : null
}

const mainAccounts = ['treasury', 'donation-wallet']

/** The types that a row may have, as in the constraints transactions_…_of_type of the database. */
function typesOf({
  account,
  counterAccount: counter,
  direction,
}: {
  account: string
  counterAccount: string | null
  direction: string
}): string[] {
  const isMain = mainAccounts.includes(account)
  return Object.keys(ownTypes).filter((type) => {
    if (type === 'move') return counter !== null && direction === 'out'
    if (type === 'donation')
      return isMain && direction === 'out' && (counter === null || !mainAccounts.includes(counter))
    if (counter !== null) return false
    if (type === 'gift' || type === 'tax') return direction === 'in'
    if (type === 'cost' || type === 'dream') return isMain && direction === 'out'
    if (type === 'spending') return !isMain && direction === 'out'
    if (type === 'returned') return !isMain && direction === 'in'
    return true
  })
}

/** The payments that a kind of act is about. `lacks`: the column that is null if the payment needs an act. */
export const paymentsWithout = (lacks: 'note_hash' | 'amount_usd'): Source => ({
  read: async (data, subject) => {
    const [, chain = '', hash = '', ordinal = ''] =
      /^(\d{1,9})\/(0x[0-9a-f]{64})\/(-1|\d{1,9})$/.exec(subject) ?? []
    if (!hash) return []
    return data.rows('published_transactions', paymentRow, (query) =>
      query.eq('tx_hash', hash).eq('chain_id', Number(chain)).eq('ordinal', Number(ordinal)),
    )
  },
  find: async (data, words) => {
    if (!words) {
      // Payments that need an act come first. `findSubjects` drops the second copy of a payment.
      const [lacking, newest] = await Promise.all([
        data.rows('published_transactions', paymentRow, (query) => {
          const without = query.is(lacks, null).order('id', { ascending: false }).limit(listed)
          return lacks === 'note_hash'
            ? without.eq('direction', 'out').in('type', ['spending', 'other'])
            : without
        }),
        data.rows('published_transactions', paymentRow, (query) =>
          query.order('id', { ascending: false }).limit(listed),
        ),
      ])
      return lacking && newest && [...lacking, ...newest]
    }
    return data.rows('published_transactions', paymentRow, (query) => {
      const newest = query.order('id', { ascending: false }).limit(listed)
      const id = /(?:^|\/transparency\/|row )(\d{1,15})$/.exec(words)?.[1]
      if (id) return newest.eq('id', Number(id))
      const [hash, address] = [readHash(words), addressIn(words)]
      if (hash) return newest.eq('tx_hash', hash)
      if (address) return newest.eq('to_address', address)
      return newest.ilike('note', containing(words))
    })
  },
  search: msg`Number of the payment, transaction, recipient, or words of its purpose`,
})

const nameRow = z.pipe(
  z.object({ address: z.string(), name: z.nullable(z.string()), revision: integerColumn }),
  z.transform(
    ({ address, name, revision }) =>
      ({ i18n, href }: Language): Subject => ({
        subject: address,
        title: name ?? i18n._(msg`A withdrawn name`),
        href: href(`/transparency?q=${address}`),
        facts: [[i18n._(msg`Wallet`), address]],
        values: withoutNull({ address, name }),
        version: revision,
      }),
  ),
)

export const names: Source = {
  read: (data, subject) => data.rows('published_names', nameRow, (query) => query.eq('address', subject)),
  find: (data, words) =>
    data.rows('published_names', nameRow, (query) => {
      const newest = query.order('recorded_at', { ascending: false }).limit(listed)
      const address = addressIn(words)
      if (address) return newest.eq('address', address)
      return words ? newest.ilike('name', containing(words)) : newest
    }),
  search: msg`Name or wallet address`,
}
