import { Trans } from '@lingui/react/macro'

/** The title of a goal, or words that replace a hidden or withdrawn title. */
export function GoalTitle({ title }: { title: string | null }) {
  if (title === null) return <Trans>A goal without a title</Trans>
  return (
    <bdi lang="" className="wrap-anywhere">
      {title}
    </bdi>
  )
}
