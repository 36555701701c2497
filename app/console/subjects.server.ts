import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { containing, type Found, listed, type Source, type Subject, type Typed } from '../acts/forms/subject'
import { waitingWords } from '../arrival/subjects.server'
import { names, paymentsWithout, updates } from '../ledger/subjects.server'
import { mistakes } from '../mistakes/subjects.server'
import { orders, standingOrders, stoppedOrders } from '../payments/subjects.server'
import type { Language } from '../platform/locales/language'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { statements } from '../statements/subjects.server'
import type { ActKind } from './act-kinds'
import { findTextUses, type TextUse } from './text-uses.server'

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
  'answer-rejection': waitingWords,
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
