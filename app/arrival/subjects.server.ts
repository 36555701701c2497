import { msg } from '@lingui/core/macro'
import { type Found, filled, type Source, type Subject } from '../acts/forms/subject'
import type { Language } from '../platform/locales/language'
import { waitingAnswers } from './waiting.server'
import { answerWords } from './words'

export const waitingWords: Source = {
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
