import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { containing, filled, listed, type Source, type Subject } from '../acts/forms/subject'
import type { Language } from '../platform/locales/language'
import { timestampColumn } from '../platform/server/columns.server'
import { mistakePage, mistakeTitle } from './mistake-words'
import { mistakeColumns } from './mistakes.server'

const mistakeRow = z.pipe(
  z.object({ ...mistakeColumns, since: timestampColumn }),
  z.transform((row) => ({ i18n, formats, href }: Language): Subject => {
    const { subject, since, words, notes } = row
    return {
      subject,
      title: i18n._(mistakeTitle(row)),
      href: href(mistakePage(row)),
      facts: [
        [i18n._(msg({ message: 'Since', context: 'mistake' })), formats.instant(since)],
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

export const mistakes: Source = {
  read: (data, subject) =>
    data.rows('published_mistakes', mistakeRow, (query) => query.eq('subject', subject)),
  find: (data, words) =>
    data.rows('published_mistakes', mistakeRow, (query) => {
      const newest = query.order('since', { ascending: false }).limit(listed)
      return words ? newest.ilike('words', containing(words)) : newest
    }),
  search: msg`Words of the mistake`,
}
