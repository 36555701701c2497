import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { containing, filled, listed, type Source, type Subject, withoutNull } from '../acts/forms/subject'
import { hiddenWords } from '../ledger/statement-text'
import type { Language } from '../platform/locales/language'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'

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

export const statements: Source = {
  read: (data, subject) =>
    data.rows('published_cz_calls', statementRow, (query) => query.eq('tweet_url', subject)),
  find: (data, words) =>
    data.rows('published_cz_calls', statementRow, (query) => {
      const newest = query.order('posted_at', { ascending: false }).limit(listed)
      return words ? newest.ilike('tweet_text', containing(words)) : newest
    }),
  search: msg`Words of the statement`,
}
