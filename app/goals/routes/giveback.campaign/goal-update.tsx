import { Trans } from '@lingui/react/macro'
import { GoalLinks, MemberText } from '~/goals/goal-words'
import { ShownPicture } from '~/ledger/shown-picture'
import type { PoolUpdate } from '~/ledger/updates.server'
import { Withdrawn } from '~/ledger/withdrawn'
import { When } from '~/platform/ui/when'

/** An update of a goal, in the words of its member. */
export function GoalUpdate({ update }: { update: PoolUpdate }) {
  const { id, publishedAt, text, textReason, links, pictures } = update
  const name = `update-${id}`
  return (
    <article data-key={id} aria-labelledby={name}>
      <p id={name} className="text-sm text-muted">
        <Trans comment="An update, with its day">
          Update of <When date={publishedAt} day />
        </Trans>
      </p>
      {text === null ? (
        <p className="mt-2">
          <Withdrawn reason={textReason} />
        </p>
      ) : (
        <MemberText className="mt-2">{text}</MemberText>
      )}
      {pictures.map((picture) => (
        <ShownPicture
          key={picture.path}
          picture={picture}
          lang=""
          lazy
          className="mt-3 h-auto max-h-128 w-auto max-w-full rounded-block bg-panel"
        />
      ))}
      <GoalLinks links={links} areRead={false} />
    </article>
  )
}
