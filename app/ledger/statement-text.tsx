import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import { Withdrawn } from './withdrawn'

/** The state of a statement's post at its source. */
export interface AtItsSource {
  /** The text; null if the page may not show it. */
  tweetText: string | null
  /** The time of an edit after the post's words were published here. */
  sourceEditedAt: Date | null
  sourceGoneAt: Date | null
  isXPost: boolean
}

/** Why the text of a post on X is not shown: its author no longer shows it. Null for others. */
export function hiddenWords({
  tweetText,
  sourceEditedAt,
  sourceGoneAt,
  isXPost,
}: AtItsSource): MessageDescriptor | null {
  if (tweetText !== null || !isXPost) return null
  if (sourceGoneAt) return msg`Its author removed it. Time and hash stay.`
  return sourceEditedAt ? msg`Its author edited it. Read the new words at the original.` : null
}

/** The words of a statement, or why they are not shown. `reason` is the reason for a withdrawal. */
export function StatementText({ said, reason }: { said: AtItsSource; reason: string | undefined }) {
  const { i18n } = useLanguage()
  if (said.tweetText !== null) return <EnglishWords>{said.tweetText}</EnglishWords>
  const hidden = hiddenWords(said)
  return hidden ? <span className="text-muted">{i18n._(hidden)}</span> : <Withdrawn reason={reason} />
}

/** 'Edited at its source on 3 Mar 2025' if the post was edited, or a note that the post is gone. */
export function SourceMark({ said: { sourceEditedAt, sourceGoneAt } }: { said: AtItsSource }) {
  if (sourceGoneAt)
    return (
      <p className="mt-2 font-semibold">
        <Trans>
          No longer at its source since <When date={sourceGoneAt} day />
        </Trans>
      </p>
    )
  if (!sourceEditedAt) return null
  return (
    <p className="mt-2 font-semibold">
      <Trans>
        Edited at its source on <When date={sourceEditedAt} day />
      </Trans>
    </p>
  )
}
