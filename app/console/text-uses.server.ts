import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { findPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { actWords, isActKind } from './act-kinds'

/** States where a text of the log is published, in the given language: the kind of its row, its author and its day. */
export type TextUse = (language: Pick<Language, 'i18n' | 'formats'>) => string

const hash = z.nullable(z.string())

function usesOf(hashes: Record<string, string | null>, use: TextUse): [hash: string, use: TextUse][] {
  return Object.values(hashes).flatMap((each) => (each ? [[each, use]] : []))
}

const statementRow = z.pipe(
  z.object({
    textHash: hash,
    actionHash: hash,
    confirmedByHash: hash,
    author: z.string(),
    postedAt: timestampColumn,
  }),
  z.transform(({ author, postedAt, ...hashes }) =>
    usesOf(hashes, ({ i18n, formats }) => {
      const day = formats.day(postedAt)
      return i18n._(msg`Statement by ${author}, ${day}`)
    }),
  ),
)

const updateRow = z.pipe(
  z.object({
    textHash: hash,
    linksHash: hash,
    helpingSourceHash: hash,
    poolSlug: z.string(),
    number: integerColumn,
    publishedAt: timestampColumn,
  }),
  z.transform(({ poolSlug, number, publishedAt, ...hashes }) =>
    usesOf(hashes, ({ i18n, formats }) => {
      const pool = findPool(poolSlug)
      const day = formats.day(publishedAt)
      if (!pool) return i18n._(msg`Update ${number} of a goal, ${day}`)
      const name = i18n._(key(pool.title))
      return i18n._(msg`${{ pool: name }}, update ${number}, ${day}`)
    }),
  ),
)

const paymentRow = z.pipe(
  z.object({ noteHash: hash, proofHash: hash, id: integerColumn, occurredAt: timestampColumn }),
  z.transform(({ id, occurredAt, noteHash, proofHash }) => [
    ...usesOf({ noteHash }, ({ i18n, formats }) => {
      const day = formats.day(occurredAt)
      return i18n._(msg`Purpose of payment ${id}, ${day}`)
    }),
    ...usesOf({ proofHash }, ({ i18n, formats }) => {
      const day = formats.day(occurredAt)
      return i18n._(msg`Proof of payment ${id}, ${day}`)
    }),
  ]),
)

const nameRow = z.pipe(
  z.object({ nameHash: hash, recordedAt: timestampColumn }),
  z.transform(({ recordedAt, ...hashes }) =>
    usesOf(hashes, ({ i18n, formats }) => {
      const day = formats.day(recordedAt)
      return i18n._(msg`Name of a wallet, ${day}`)
    }),
  ),
)

const actRow = z.pipe(
  z.object({ reasonHash: hash, act: z.string(), by: z.nullable(z.string()), recordedAt: timestampColumn }),
  z.transform(({ act, by, recordedAt, ...hashes }) =>
    usesOf(hashes, ({ i18n, formats }) => {
      const day = formats.day(recordedAt)
      const what = isActKind(act) ? i18n._(actWords(act, null)) : act
      return by
        ? i18n._(msg({ message: `Reason given by ${by}, ${day}: ${what}`, comment: 'The reason of an act' }))
        : i18n._(msg({ message: `Reason, ${day}: ${what}`, comment: 'The reason of an act' }))
    }),
  ),
)

/**
 * The row in which each of these texts is published, keyed by the hash of the text. A goal's text, and a text
 * that a correction has replaced, have no row here.
 */
export async function findTextUses(data: Data, wanted: readonly string[]): Promise<Map<string, TextUse>> {
  if (wanted.length === 0) return new Map()
  const optional = data.optional()
  const among = (columns: string[]) => columns.map((column) => `${column}.in.(${wanted.join(',')})`).join(',')
  const found = await Promise.all([
    optional.rows('published_cz_calls', statementRow, (query) =>
      query.or(among(['text_hash', 'action_hash', 'confirmed_by_hash'])),
    ),
    optional.rows('published_updates', updateRow, (query) =>
      query.or(among(['text_hash', 'links_hash', 'helping_source_hash'])),
    ),
    optional.rows('published_transactions', paymentRow, (query) =>
      query.or(among(['note_hash', 'proof_hash'])),
    ),
    optional.rows('published_names', nameRow, (query) => query.in('name_hash', wanted)),
    optional.rows('published_acts', actRow, (query) => query.in('reason_hash', wanted)),
  ])
  return new Map(found.flatMap((rows) => rows?.flat() ?? []))
}
