import { Trans, useLingui } from '@lingui/react/macro'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { brand } from '../platform/site'
import { Part } from '../platform/ui/section'
import { EnglishWords, WordsOfMember } from '../platform/ui/words'
import { ChangeList } from './change-list'
import { ComplaintList } from './complaint-list'
import { EarlierGoals } from './earlier-goals'
import type { GoalReview as Review } from './goal-review.server'
import { GoalLinks, GoalWords, MemberText } from './goal-words'
import type { ReviewedGoal } from './reviewed-goals.server'
import { WalletCheck } from './wallet-check'

/**
 * Everything that an operator reads before a decision about a goal: its words and pictures, what changed, its
 * report, its wallet and the check of it, the complaints, and the other goals of its member. `title`: the
 * heading above the words, for a page that is not about the goal alone.
 */
export function GoalReview({
  review: { goal, report, receivedUsd },
  title,
}: {
  review: Review
  title?: string
}) {
  const { t } = useLingui()
  const [now, before] = goal.submitted
  return (
    <>
      <section
        className="column mt-6"
        aria-label={title ?? (goal.opened_at ? t`As it was submitted` : t`As everyone will see it`)}
      >
        {title && (
          <>
            <h2 className="text-heading">{title}</h2>
            <p className="mt-4 text-xl font-semibold">
              <PageLink to={`/operator/goals/${goal.slug}`} className="link wrap-anywhere">
                <WordsOfMember>{goal.title ?? goal.slug}</WordsOfMember>
              </PageLink>
            </p>
          </>
        )}
        <div className="max-w-3xl">
          <GoalWords goal={goal.text} />
          {goal.text.picture && (
            <p className="mt-1 text-sm text-muted">
              <Trans>What the picture shows</Trans>
              {': '}
              <WordsOfMember>{goal.text.picture.text}</WordsOfMember>
            </p>
          )}
          <Terms goal={goal} />
        </div>
      </section>
      {now && before && (
        <Part title={t`What changed since the last return`}>
          <ReasonOfReturn moves={goal.moves} />
          <ChangeList now={now} before={before} />
        </Part>
      )}
      {goal.waiting && (
        <Part title={t`An update waits, because it names ${brand}`}>
          <MemberText className="mt-4">
            {[goal.waiting.text, goal.waiting.links, goal.waiting.picture].filter(Boolean).join('\n\n')}
          </MemberText>
        </Part>
      )}
      {report && (
        <Part title={t`The final report`}>
          <Received goal={goal} receivedUsd={receivedUsd} />
          {report.text !== null && <MemberText className="mt-4">{report.text}</MemberText>}
          {report.pictures.map(({ path, alt, width, height }) => (
            <img
              key={path}
              src={path}
              alt={alt}
              lang=""
              width={width}
              height={height}
              className="update-picture mt-4 max-w-3xl"
            />
          ))}
          <GoalLinks links={report.links} />
        </Part>
      )}
      <Part title={t`The wallet`}>
        <WalletCheck wallet={goal.wallet} check={goal.check} isWaiting={goal.stage === 'submitted'} />
      </Part>
      {goal.complaints.length > 0 && (
        <Part title={t`Complaints`}>
          <ComplaintList complaints={goal.complaints} />
        </Part>
      )}
      <Part title={t`Other goals of this member`}>
        <EarlierGoals goals={goal.earlier} />
      </Part>
    </>
  )
}

/** The reason for the last return by an operator. A return by the wallet check has none. */
function ReasonOfReturn({ moves }: Pick<ReviewedGoal, 'moves'>) {
  const last = moves.findLast(({ stage, reason }) => stage === 'returned' && reason !== null)
  if (!last) return null
  return (
    <p className="notice whitespace-pre-line wrap-anywhere">
      <Trans comment="Before the words that an operator wrote for the member">
        Reason for the last return:
      </Trans>
      <Gap />
      <EnglishWords>{last.reason}</EnglishWords>
    </p>
  )
}

/** The sum received and the target. The operator compares them with the spending in the report. */
function Received({ goal: { target }, receivedUsd }: { goal: ReviewedGoal; receivedUsd: number | null }) {
  const { formats } = useLanguage()
  if (target === null || receivedUsd === null) return null
  const [received, wanted] = [formats.dollars(receivedUsd), formats.dollars(target)]
  return (
    <p className="figures mt-4">
      <Trans>
        <strong>{received}</strong> of {wanted} arrived. Compare it with what the report says.
      </Trans>
    </p>
  )
}

/** The target, the days and the end of a goal. */
function Terms({ goal: { target, days, ends_at } }: { goal: ReviewedGoal }) {
  const { formats } = useLanguage()
  if (target === null || days === null) return null
  const amount = formats.dollars(target)
  return (
    <p className="figures mt-4 font-semibold">
      {ends_at ? (
        <Trans>
          Target {amount}, until {formats.day(ends_at)}
        </Trans>
      ) : (
        <Trans comment="What a member asks for: an amount, and for how many days people can give">
          Target {amount}, in {days} days
        </Trans>
      )}
    </p>
  )
}
