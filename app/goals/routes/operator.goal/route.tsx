import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { commandLine } from '~/acts/act-faults'
import { explained, readAct, saveAct } from '~/acts/acts.server'
import { requireOperator } from '~/acts/guard.server'
import { listActsAbout, type PublishedAct } from '~/acts/published-acts.server'
import { draftOf, parseAct } from '~/acts/schemas'
import { mustSpeak } from '~/acts/speaks'
import { goalActs, isGoalKind } from '~/goals/acts'
import { reportTime } from '~/goals/goal-clock.server'
import { GoalReview } from '~/goals/goal-review'
import { readGoalReview } from '~/goals/goal-review.server'
import { decisionsAbout, type ReviewedGoal, readGoal, versionFor } from '~/goals/reviewed-goals.server'
import { StageBadge } from '~/goals/stage-badge'
import { FormErrorPage } from '~/members/auth/send-again'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { readClock } from '~/platform/server/clock.server'
import type { Data } from '~/platform/server/data.server'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { readGoalClock } from '~/platform/server/goal-clock.server'
import { found } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { EnglishWords, WordsOfMember } from '~/platform/ui/words'
import { type Decision, DecisionForms } from './decision-forms'
import { MoveList } from './move-list'

export const handle: PageHandle = { fundMe: true }

export const meta: MetaFunction = hiddenMeta(
  msg({ message: 'Goal', comment: 'The title of a page: what a member asks money for' }),
)

const oneDay = 24 * 60 * 60 * 1000

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { pathname, search, searchParams } = new URL(request.url)
  await requireOperator(context, pathname + search)
  const api = context.data()
  const [review, draft] = await Promise.all([
    readGoalReview(api, params.goal),
    readDraft(api, searchParams.get('act')),
  ])
  const { goal } = found(review)
  const { slug, check, frozen } = goal
  const acts = frozen ? await listActsAbout(api, slug) : null
  // The database refuses an approval unless the wallet was checked within the last day.
  const isChecked = Boolean(
    check && !check.fault && readClock(context.config) - check.checked_at.getTime() < oneDay,
  )
  return {
    review: found(review),
    draft: draft === undefined ? null : found(draft),
    isChecked,
    isDemo: context.config.DEMO,
    /** The kind of the form that `?decide=` opens. */
    chosen: searchParams.get('decide'),
    freeze: acts?.find(({ act }) => act === 'goal-freeze') ?? null,
    due: dueReport(goal, readGoalClock(context.config)),
    offers: decisionsAbout(goal, isChecked).map((kind) => ({
      kind,
      version: versionFor(kind, goal),
      act: crypto.randomUUID(),
    })),
  }
}

/** When the final report of an ended goal was due, and how many days it is overdue; null if it is not overdue. */
function dueReport({ stage, ended_at }: ReviewedGoal, now: number): { at: Date; days: number } | null {
  if (stage !== 'ended' || !ended_at) return null
  const at = new Date(ended_at.getTime() + reportTime)
  const late = now - at.getTime()
  return late > 0 ? { at, days: Math.ceil(late / oneDay) } : null
}

/** The stored draft that the form changes; undefined if the URL names no draft. */
async function readDraft(api: Data, id: string | null): Promise<Decision | 'none' | null | undefined> {
  if (!id) return undefined
  const act = await readAct(api, id)
  if (!act || act === 'none') return act
  if (act.state !== 'draft' || !isGoalKind(act.kind)) return 'none'
  const values = { reason: act.reason ?? '', hide: act.arguments.hide ?? '' }
  return { id: act.id, act: act.id, kind: act.kind, values, errors: {}, notice: null }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  requireFundMe(context)
  const form = await readForm(request)
  const { i18n } = context.language
  await requireOperator(context, new URL(request.url).pathname, { form })
  const kind = String(form.get('kind') ?? '')
  if (!isGoalKind(kind)) throw new Response(null, { status: 400, statusText: 'Bad Request' })
  const goal = found(await readGoal(context.data(), params.goal), form)

  const submission = parseAct(goalActs[kind], form, context.language)
  const { id, version } = draftOf(form)
  const decision = { act: id, kind }
  const isSilent = kind === 'goal-approval' && form.get('speaks') !== 'yes'
  if (submission.status !== 'success' || isSilent) {
    const { payload } = submission
    const faults = submission.status === 'success' ? null : submission.error
    const error = { ...(isSilent && { speaks: [i18n._(mustSpeak)] }), ...faults }
    return refuse(context, { payload, error }, {}, decision)
  }
  const saved = await saveAct(context.data(), goalActs[kind], {
    id,
    kind,
    subject: goal.slug,
    version,
    ...submission.value,
  })
  if ('id' in saved) throw redirect(`/operator/acts/${saved.id}`, 303)
  const { field, words } = explained(saved, form)
  return refuse(context, submission, { message: words(context.language), field, status: 409 }, decision)
}

export default function ReviewedGoalPage() {
  const { t } = useLingui()
  const { review, draft, freeze, due, offers, chosen, isChecked, isDemo } = useLoaderData<typeof loader>()
  const { goal } = review
  const refused = useActionData<typeof action>()
  const isPublic = goal.opened_at !== null
  const unchecked = goal.stage === 'submitted' && !isChecked
  const note = goal.mine
    ? t`You can't decide about your own goal. Another operator must.`
    : unchecked
      ? isDemo
        ? t`The goal's wallet was not checked, because the demonstration reads no blockchain. So it can't be approved here.`
        : t`The goal's wallet was not checked in the last day. Wait for the next check.`
      : null
  return (
    <>
      <div className="column pt-section">
        <PageHead
          back={{ to: '/operator', label: t`Operator` }}
          title={<WordsOfMember>{goal.title ?? goal.slug}</WordsOfMember>}
        >
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <StageBadge stage={goal.stage} frozen={goal.frozen} isOverdue={due !== null} />
            <span className="text-muted">{goal.slug}</span>
            {isPublic && (
              <PageLink to={`/giveback/${goal.slug}`} className="link inline-block py-1">
                <Trans>Its public page</Trans>
              </PageLink>
            )}
          </p>
          {due && <Overdue due={due} />}
          {freeze && <Freeze act={freeze} />}
        </PageHead>
        {refused && (
          <Refused form={refused}>
            {refused.notice.text}
            <Gap />
            <Trans>Nothing is saved yet.</Trans>
          </Refused>
        )}
      </div>
      <GoalReview review={review} />
      <Part
        id="decide"
        title={t({ message: 'Decide', comment: 'The title above the forms of an operator about a goal' })}
      >
        <DecisionForms offers={offers} decision={refused ?? draft} chosen={chosen} note={note} />
      </Part>
      <Part title={t`What happened`}>
        <MoveList moves={goal.moves} />
      </Part>
    </>
  )
}

function Overdue({ due: { at, days } }: { due: { at: Date; days: number } }) {
  return (
    <p className="mt-3 font-semibold text-bad">
      <Trans>
        The final report was due on <When date={at} day />. It is{' '}
        <Plural value={days} one="# day" other="# days" /> overdue.
      </Trans>
    </p>
  )
}

/** Who froze the goal, when and why. */
function Freeze({ act: { by, recordedAt, reason } }: { act: PublishedAct }) {
  const { i18n } = useLanguage()
  const who = by ?? i18n._(commandLine)
  return (
    <p className="notice whitespace-pre-line wrap-anywhere">
      <Trans comment="Who froze a goal; the reason follows">
        Frozen by {who}, <When date={recordedAt} />:
      </Trans>
      <Gap />
      {reason === null ? <Trans>Withdrawn</Trans> : <EnglishWords>{reason}</EnglishWords>}
    </p>
  )
}

export const ErrorBoundary = FormErrorPage
