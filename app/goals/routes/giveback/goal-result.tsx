import { Trans } from '@lingui/react/macro'
import type { ListedGoal, readReports } from '~/goals/goal-list.server'
import { GoalTitle } from '~/ledger/goal-title'
import { shownUrl } from '~/ledger/update-picture'
import { firstCharacters } from '~/platform/first-characters'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { Byline } from './goal-card'

interface Props {
  goal: ListedGoal
  report: Awaited<ReturnType<typeof readReports>>[string] | undefined
}

/** A completed goal: picture and words of its final report. Without a picture there, the goal's. */
export function GoalResult({ goal, report }: Props) {
  const { formats } = useLanguage()
  const { slug, title, byline, picturePath, pictureText, receivedUsd, endedAt } = goal
  const picture =
    report?.picture ?? (picturePath && pictureText ? { path: picturePath, alt: pictureText } : null)
  const words = report && firstCharacters(report.text, 400)
  const received = <strong className="font-display text-2xl text-ink">{formats.dollars(receivedUsd)}</strong>
  return (
    <li data-key={slug} className="goal-result">
      {picture && <img src={shownUrl(picture.path)} alt={picture.alt} lang="" loading="lazy" />}
      <div>
        <h3 className="text-2xl">
          <PageLink to={`/giveback/${slug}`} className="cover">
            <GoalTitle title={title} />
          </PageLink>
        </h3>
        {report && (
          <blockquote dir="auto" lang="">
            {words}
            {words !== report.text && '…'}
          </blockquote>
        )}
        <Byline byline={byline} />
        <p className="figures mt-1 text-muted">
          <Trans comment="An amount of money that a goal received">{received} received</Trans>
          {endedAt && (
            <>
              {' · '}
              <When date={endedAt} day />
            </>
          )}
        </p>
      </div>
    </li>
  )
}
