import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { waitingAnswers } from '../arrival/waiting.server'
import { answerWords } from '../arrival/words'
import { hiddenWords } from '../ledger/statement-text'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import { ownTypes } from '../ledger/transaction-types'
import { typeLabel } from '../ledger/transactions'
import { mistakePage, mistakeTitle } from '../mistakes/mistake-words'
import { mistakeColumns } from '../mistakes/mistakes.server'
import { readAddress } from '../platform/forms/address'
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
import type { Data } from '../platform/server/data.server'
import type { TokenAmount } from '../platform/tokens'
import { type ActKind, actKinds } from './act-kinds'
import { findTextUses, type TextUse } from './text-uses.server'

/** The subject of an act, as it is published now. */
export interface Subject {
  /** The name of the subject in `?subject=` and in the act. */
  subject: string
  title: string
  /** The page of the subject. */
  href: string | null
  /** The facts about the subject that an operator needs to see; null for a withdrawn text. */
  facts: [name: string, text: string | null][]
  /** The current values of the kind's fields. */
  values: Record<string, string>
  /** The current revision of the subject; null for a subject without revisions. */
  version: number | null
  /** The choices that only this subject allows, keyed by the name of the field. */
  options?: Record<string, { value: string; label: MessageDescriptor }[]>
  /** The fields that do not apply to the subject. */
  without?: string[]
}

/** Maximum number of subjects in the result of a search. */
const listed = 10

/** The values that an operator entered for an act. */
type Typed = Record<string, string>
/**
 * For each found subject, a function that returns the subject in a language; null if the subjects cannot be
 * read.
 */
type Found = ((language: Language, typed?: Typed) => Subject)[] | null
interface Source {
  /** Reads the subject with this name. */
  read: (data: Data, subject: string) => Promise<Found>
  /** Finds the newest subjects that contain these words; without words, the newest subjects. */
  find: (data: Data, words: string) => Promise<Found>
  /** The label of the search field. */
  search: MessageDescriptor
}

/** The text for `ilike` that finds rows with these words. */
function containing(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}

const statementRow = z.pipe(
  z.object({
    tweetUrl: z.string(),
    tweetText: z.nullable(z.string()),
    sourceEditedAt: z.nullable(timestampColumn),
    sourceGoneAt: z.nullable(timestampColumn),
    isXPost: z.boolean(),
    author: z.string(),
    postedAt: timestampColumn,
    actionTaken: z.nullable(z.string()),
    capturedAt: z.nullable(timestampColumn),
    confirmedBy: z.nullable(z.string()),
    verified: z.boolean(),
    txHash: z.nullable(z.string()),
    revision: integerColumn,
  }),
  z.transform((row) => ({ i18n, formats }: Language): Subject => {
    const { tweetUrl, tweetText, author, postedAt, actionTaken, capturedAt, txHash } = row
    const hidden = hiddenWords(row)
    const at = formats.instant(postedAt)
    const confirmedBy = row.confirmedBy ?? i18n._(msg`the words were withdrawn`)
    return {
      subject: tweetUrl,
      title: i18n._(msg({ message: `${author}, ${at}`, comment: 'A statement: its author and its time' })),
      href: tweetUrl,
      facts: [
        [i18n._(msg`Link`), tweetUrl],
        [i18n._(msg`Text`), tweetText ?? (hidden && i18n._(hidden))],
        ...filled(i18n._(msg`Read at its address`), capturedAt && formats.instant(capturedAt)),
        [i18n._(msg`Action taken`), actionTaken],
        ...filled(i18n._(msg`Payment that followed`), txHash),
        [i18n._(msg`Source`), i18n._(row.verified ? msg`Confirmed: ${confirmedBy}` : msg`Not confirmed`)],
      ],
      values: withoutNull({
        link: tweetUrl,
        text: tweetText,
        author,
        posted: postedAt.toISOString(),
        action: actionTaken,
        captured: capturedAt?.toISOString(),
        tx: txHash,
      }),
      version: row.revision,
    }
  }),
)

const statements: Source = {
  read: (data, subject) =>
    data.rows('published_cz_calls', statementRow, (query) => query.eq('tweet_url', subject)),
  find: (data, words) =>
    data.rows('published_cz_calls', statementRow, (query) => {
      const newest = query.order('posted_at', { ascending: false }).limit(listed)
      return words ? newest.ilike('tweet_text', containing(words)) : newest
    }),
  search: msg`Words of the statement`,
}

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

const updates: Source = {
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

/**
 * The types that a row may have. The constraints transactions_…_of_type in supabase/migrations allow the same
 * types.
 */
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
const paymentsWithout = (lacks: 'note_hash' | 'amount_usd'): Source => ({
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

const names: Source = {
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

const textRow = z.pipe(
  z.object({ hash: z.string(), text: z.nullable(z.string()), postUrl: z.nullable(z.string()) }),
  z.transform(({ hash, text, postUrl }) => ({
    hash,
    write:
      (use: TextUse | undefined) =>
      ({ i18n, formats }: Language): Subject => ({
        subject: hash,
        title: use?.({ i18n, formats }) ?? i18n._(msg`A text of a goal, or of an earlier version`),
        href: null,
        facts: [
          [i18n._(msg`Text`), postUrl ? i18n._(msg`That of a post of X: ${postUrl}`) : text],
          [i18n._(msg`Hash`), hash],
        ],
        values: {},
        version: null,
      }),
  })),
)

/** The texts with the row in which each one is published. */
async function withUses(data: Data, rows: z.infer<typeof textRow>[] | null): Promise<Found> {
  if (!rows) return null
  const uses = await findTextUses(
    data,
    rows.map(({ hash }) => hash),
  )
  return rows.map(({ hash, write }) => write(uses.get(hash)))
}

const texts: Source = {
  read: async (data, subject) =>
    withUses(data, await data.rows('published_texts', textRow, (query) => query.eq('hash', subject))),
  find: async (data, words) =>
    withUses(
      data,
      await data.rows('published_texts', textRow, (query) => {
        const newest = query.is('withdrawn_at', null).order('id', { ascending: false }).limit(listed)
        if (/^[0-9a-f]{64}$/i.test(words)) return newest.eq('hash', words.toLowerCase())
        return words ? newest.ilike('text', containing(words)) : newest
      }),
    ),
  search: msg`Words of the text`,
}

const operatorRow = z.pipe(
  z.object({ handle: z.string(), since: timestampColumn, until: z.nullable(timestampColumn) }),
  z.transform(
    ({ handle, since, until }) =>
      ({ i18n, formats }: Language): Subject => ({
        subject: handle,
        title: handle,
        href: null,
        facts: [
          [i18n._(msg`Operator since`), formats.instant(since)],
          [
            i18n._(msg({ message: 'Until', comment: 'The time until which someone was an operator' })),
            until ? formats.instant(until) : i18n._(msg({ message: 'Active', context: 'operator' })),
          ],
        ],
        values: {},
        version: null,
      }),
  ),
)

const operators: Source = {
  read: (data, subject) =>
    data.rows('published_operators', operatorRow, (query) => query.eq('handle', subject)),
  find: (data, words) =>
    data.rows('published_operators', operatorRow, (query) => {
      const active = query.is('until', null).order('handle').limit(listed)
      return words ? active.ilike('handle', containing(words)) : active
    }),
  search: msg`Handle`,
}

const orderRow = z.pipe(
  z.object({
    ...tokenColumns,
    id: integerColumn,
    toAddress: z.string(),
    recipientName: z.nullable(z.string()),
    recipientAccount: z.nullable(z.string()),
    purpose: z.nullable(z.string()),
    dueAt: timestampColumn,
    state: z.string(),
  }),
  z.transform((columns) => ({ i18n, formats, href }: Language): Subject => {
    const {
      id: number,
      tokens,
      toAddress,
      recipientName,
      recipientAccount,
      purpose,
      dueAt,
    } = withTokens(columns)
    const amount = tokens ? formats.tokens(tokens, 18) : ''
    return {
      subject: `${number}`,
      title: i18n._(msg`Order ${{ number: `${number}` }}`),
      href: href('/transparency/orders'),
      facts: [
        [i18n._(msg({ message: 'To', context: 'wallet' })), recipientName ?? recipientAccount ?? toAddress],
        [i18n._(msg`Wallet`), toAddress],
        [i18n._(msg`Amount`), amount],
        [i18n._(msg`Purpose`), purpose],
        [i18n._(msg`End of its notice`), formats.instant(dueAt)],
      ],
      values: {},
      // An act about an order belongs to no revision (private.order_revision).
      version: 0,
    }
  }),
)

const orders: Source = {
  read: async (data, subject) =>
    /^[1-9]\d{0,14}$/.test(subject)
      ? data.rows('published_orders', orderRow, (query) => query.eq('id', Number(subject)))
      : [],
  find: (data, words) =>
    data.rows('published_orders', orderRow, (query) => {
      const open = query.in('state', ['announced', 'taken', 'sent']).order('due_at').limit(listed)
      return /^[1-9]\d{0,14}$/.test(words) ? open.eq('id', Number(words)) : open
    }),
  search: msg`Number of the order`,
}

/** The stopped orders without a reason. */
const stoppedOrders: Source = {
  ...orders,
  find: (data, words) =>
    data.rows('published_orders', orderRow, (query) => {
      const stopped = query.eq('state', 'stopped').is('stop_reason_hash', null)
      const found = /^[1-9]\d{0,14}$/.test(words) ? stopped.eq('id', Number(words)) : stopped
      return found.order('id', { ascending: false }).limit(listed)
    }),
}

const standingRow = z.pipe(
  z.object({
    id: integerColumn,
    revision: integerColumn,
    rule: z.string(),
    purpose: z.nullable(z.string()),
    source: z.nullable(z.string()),
    endsAt: timestampColumn,
  }),
  z.transform(
    ({ id: number, revision, rule, purpose, source, endsAt }) =>
      ({ i18n, formats, href }: Language): Subject => {
        const { options = [] } = actKinds['standing-order'].fields.find(({ name }) => name === 'rule') ?? {}
        const label = options.find(({ value }) => value === rule)?.label
        return {
          subject: `${number}`,
          title: i18n._(msg`Standing order ${{ number: `${number}` }}`),
          href: href('/transparency/orders#standing'),
          facts: [
            [i18n._(msg`What it does`), label ? i18n._(label) : rule],
            ...filled(i18n._(msg`Source`), source),
            [i18n._(msg`Purpose`), purpose],
            [i18n._(msg`Ends`), formats.instant(endsAt)],
          ],
          values: {},
          version: revision,
        }
      },
  ),
)

const standingOrders: Source = {
  read: async (data, subject) =>
    /^[1-9]\d{0,14}$/.test(subject)
      ? data.rows('published_standing_orders', standingRow, (query) => query.eq('id', Number(subject)))
      : [],
  find: (data, words) =>
    data.rows('published_standing_orders', standingRow, (query) => {
      const active = query.eq('state', 'active').order('id', { ascending: false }).limit(listed)
      return /^[1-9]\d{0,14}$/.test(words) ? active.eq('id', Number(words)) : active
    }),
  search: msg`Number of the standing order`,
}

const mistakeRow = z.pipe(
  z.object({ ...mistakeColumns, since: timestampColumn }),
  z.transform((row) => ({ i18n, formats, href }: Language): Subject => {
    const { subject, since, words, notes } = row
    return {
      subject,
      title: i18n._(mistakeTitle(row)),
      href: href(mistakePage(row)),
      facts: [
        [i18n._(msg`Since`), formats.instant(since)],
        ...filled(i18n._(msg`Text`), words),
        ...notes.map(({ by, text }): [string, string | null] => [
          by ?? i18n._(msg`by the holder of the secret key`),
          text,
        ]),
      ],
      values: {},
      // A sentence about a mistake belongs to no revision (private.mistake_revision).
      version: 0,
    }
  }),
)

const mistakes: Source = {
  read: (data, subject) =>
    data.rows('published_mistakes', mistakeRow, (query) => query.eq('subject', subject)),
  find: (data, words) =>
    data.rows('published_mistakes', mistakeRow, (query) => {
      const newest = query.order('since', { ascending: false }).limit(listed)
      return words ? newest.ilike('words', containing(words)) : newest
    }),
  search: msg`Words of the mistake`,
}

const waitingWords: Source = {
  read: async (data, subject) => listWaiting(await waitingAnswers(data), subject),
  find: async (data, words) => listWaiting(await waitingAnswers(data), words),
  search: msg`Number of the answer`,
}

/** The answers whose name or words wait, of one number or all. */
function listWaiting(all: Awaited<ReturnType<typeof waitingAnswers>>, number: string): Found {
  const found = all?.filter(({ id }) => number === '' || `${id}` === number) ?? null
  return (
    found?.map(
      ({ id, row, answer, name, words }) =>
        ({ i18n, href }: Language): Subject => ({
          subject: `${id}`,
          title: i18n._(answerWords[answer]),
          href: href(`/transparency/${row}`),
          facts: [[i18n._(msg`Words`), words], ...filled(i18n._(msg`Name`), name)],
          values: {},
          // An answer belongs to no revision (private.answer_revision).
          version: 0,
        }),
    ) ?? null
  )
}

const sources: Partial<Record<ActKind, Source>> = {
  stop: orders,
  take: orders,
  'order-end': orders,
  'stop-reason': stoppedOrders,
  suspend: standingOrders,
  statement: statements,
  confirmation: statements,
  update: updates,
  purpose: paymentsWithout('note_hash'),
  value: paymentsWithout('amount_usd'),
  name: names,
  withdrawal: texts,
  'operator-end': operators,
  'mistake-note': mistakes,
  'answer-words': waitingWords,
}

/**
 * The subject of an act that is not about a goal. `typed`: the values of the act, which can add a fact. 'none' if the subject does not
 * exist or the kind has no subject; null if the subject cannot be read.
 */
export async function readSubject(
  data: Data,
  language: Language,
  kind: ActKind,
  subject: string,
  typed?: Typed,
): Promise<Subject | 'none' | null> {
  const rows = await sources[kind]?.read(data, subject)
  return rows === null ? null : (rows?.[0]?.(language, typed) ?? 'none')
}

/** The wallet address in searched words, in lower case. */
function addressIn(words: string): string | undefined {
  const address = readAddress(words).toLowerCase()
  return /^0x[0-9a-f]{40}$/.test(address) ? address : undefined
}

/** The possible subjects of an act of this kind, newest first; null if they cannot be read. */
export async function findSubjects(
  data: Data,
  language: Language,
  kind: ActKind,
  words: string,
): Promise<Subject[] | null> {
  const source = sources[kind]
  if (!source) return []
  const found = await source.find(data, words.slice(0, 200))
  if (!found) return null
  const subjects = found.map((write) => write(language))
  return [...new Map(subjects.map((each) => [each.subject, each])).values()].slice(0, listed)
}

/** The label of the search for subjects of this kind; undefined for a kind without published subjects. */
export function searchLabel(kind: ActKind): MessageDescriptor | undefined {
  return sources[kind]?.search
}

/** A fact that only some subjects have. */
function filled(name: string, text: string | null | undefined): Subject['facts'] {
  return text ? [[name, text]] : []
}

function withoutNull(values: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
