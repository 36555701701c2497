import { When } from '../ui/when'
import { Withdrawn } from './withdrawn'

/** What became of the post of a statement at its source. */
export interface AtItsSource {
  /** The text as far as it may be shown. */
  tweetText: string | null
  /** The post was edited since its words were published here. */
  sourceEditedAt: Date | null
  sourceGoneAt: Date | null
  isXPost: boolean
}

/** Why the text of a post of X is not shown; null for any other statement. X wants only what its author shows there. */
export function hiddenWords({
  tweetText,
  sourceEditedAt,
  sourceGoneAt,
  isXPost,
}: AtItsSource): string | null {
  if (tweetText !== null || !isXPost) return null
  if (sourceGoneAt) return 'Its author removed it. Time and hash stay.'
  return sourceEditedAt ? 'Its author edited it. Read the new words at the original.' : null
}

/** The words of a statement, or why they are not shown. `reason` is that of a withdrawal. */
export function StatementText({ said, reason }: { said: AtItsSource; reason: string | undefined }) {
  if (said.tweetText !== null) return said.tweetText
  const hidden = hiddenWords(said)
  return hidden ? <span className="text-muted">{hidden}</span> : <Withdrawn reason={reason} />
}

/** 'Edited at its source on 3 Mar 2025', where that is so. */
export function SourceMark({ said: { sourceEditedAt, sourceGoneAt } }: { said: AtItsSource }) {
  if (sourceGoneAt)
    return (
      <p className="mt-2 font-semibold">
        No longer at its source since <When date={sourceGoneAt} day />
      </p>
    )
  if (!sourceEditedAt) return null
  return (
    <p className="mt-2 font-semibold">
      Edited at its source on <When date={sourceEditedAt} day />
    </p>
  )
}
