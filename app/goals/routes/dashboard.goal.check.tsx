import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { draftFaultWords } from '~/goals/fault-words'
import { submitGoal } from '~/goals/goal-calls.server'
import { announceGoal } from '~/goals/goal-notices.server'
import { GoalWords } from '~/goals/goal-words'
import { isGoalId, listMyGoals, type MyGoal } from '~/goals/my-goals.server'
import { isDraft } from '~/goals/stages'
import { FormErrorPage } from '~/members/auth/send-again'
import { requireAuthor } from '~/members/auth/send-again.server'
import { requireViewerWith } from '~/members/auth/viewer.server'
import { FieldFault, Tick } from '~/platform/forms/control'
import { readForm } from '~/platform/forms/form.server'
import type { RefusedForm } from '~/platform/forms/refusal'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import type { Text } from '~/platform/locales/i18n'
import { useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { found, notFound, outagePage } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { Sheet } from '~/platform/ui/section'
import { checksumAddress } from '~/wallet/address'

export const handle: PageHandle = { fundMe: true }

export const meta: MetaFunction = hiddenMeta(msg`Check your goal`)

const pageOf = (id: string) => `/dashboard/goals/${id}`

export async function loader({ params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { id = '' } = params
  const read = () => listMyGoals(context.data())
  const { viewer, value } = await requireViewerWith(context, `${pageOf(id)}/check`, read)
  const goals = found(value)
  const goal = found(goals.find((goal) => goal.id === id) ?? 'none')
  if (!isDraft(goal)) throw redirect(pageOf(id), 303)
  const inTheWay = goals.find(({ stage }) => ['submitted', 'open', 'ended'].includes(stage))
  return { member: viewer.id, goal, inTheWay: inTheWay ?? null }
}

/** The boxes that a member ticks before submitting. */
const ticks = ['may', 'public', 'report'] as const
const ticked = z.literal('yes')

/** The boxes, and the version of the draft that the member saw. */
const submittedGoal = z.object({
  may: ticked,
  public: ticked,
  report: ticked,
  version: z.catch(z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)), -1),
})

export async function action({ request, params, context }: ActionFunctionArgs) {
  requireFundMe(context)
  const { id } = params
  const { i18n } = context.language
  if (!isGoalId(id)) throw notFound()
  const form = await readForm(request)
  const viewer = await requireAuthor(context, `${pageOf(id)}/check`, form)
  const submission = parseWithZod(form, { schema: submittedGoal })
  const refused = (message: Text, status: number) =>
    refuse(context, submission, { message: i18n._(message), status })
  if (await context.limit('goal', viewer.id)) return refused(tooManyRequests, 429)
  if (submission.status !== 'success')
    return refused(msg`Tick the three boxes if they are true for you.`, 400)
  const refusal = await submitGoal(context.data(), id, submission.value.version)
  if (!refusal) {
    announceGoal(context.cookies, context.config.VOTING_OPEN ? 'goal-submitted-to-vote' : 'goal-submitted')
    return redirect(pageOf(id), 303)
  }
  if (refusal.code === 'stage') return redirect(pageOf(id), 303)
  if (refusal.code === 'changed')
    return refused(msg`This goal was changed in another tab. Read it again, then submit it.`, 409)
  // This page names the other goal.
  if (refusal.code === 'in_the_way') return refused(msg`Another goal of yours is in the way.`, 409)
  if (refusal.code === 'incomplete') return refused(msg`Something is still missing. See the list below.`, 400)
  if (refusal.code === 'not_found') throw notFound()
  throw outagePage(form)
}

export default function CheckPage() {
  const { t } = useLingui()
  const { member, goal, inTheWay } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const refused = answer && 'errors' in answer ? answer : undefined
  const isReady = goal.faults.length === 0 && !inTheWay
  return (
    <div className="column grid gap-8 py-section">
      <PageHead back={{ to: pageOf(goal.id), label: t`Edit` }} title={t`Check your goal`}>
        <Refused form={refused} />
      </PageHead>
      {inTheWay && <InTheWay goal={inTheWay} />}
      {goal.faults.length > 0 && <Missing goal={goal} />}
      <Preview goal={goal} />
      {isReady && <SubmitForm goal={goal} member={member} refused={refused} />}
    </div>
  )
}

/** The other goal that must end before this goal can be submitted. */
function InTheWay({ goal }: { goal: MyGoal }) {
  const link = (
    <a href={pageOf(goal.id)} className="link" dir="auto" lang="">
      {goal.title ?? goal.slug}
    </a>
  )
  return (
    <div className="notice mt-0">
      {goal.isOverdue ? (
        <Trans>You can't submit this yet: the report of your goal {link} is overdue.</Trans>
      ) : (
        <Trans>
          You can't submit this yet: your goal {link} must be completed first. You can have one goal at a
          time.
        </Trans>
      )}
    </div>
  )
}

/** Links each missing part to its field. */
function Missing({ goal }: { goal: MyGoal }) {
  const { t } = useLingui()
  const language = useLanguage()
  return (
    <Sheet heading="missing-title" title={t`Before you can submit it`}>
      <ul className="mt-3 grid list-disc gap-2 ps-6">
        {goal.faults.map((fault) => (
          <li key={fault.field}>
            <a href={`${pageOf(goal.id)}#${fault.field}`} className="link">
              {draftFaultWords(fault, goal, language)}
            </a>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** The goal as its page will show it. */
function Preview({ goal }: { goal: MyGoal }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const target = goal.targetUsd === null ? '–' : formats.dollars(goal.targetUsd)
  const days = goal.days === null ? '–' : formats.count(goal.days)
  return (
    <Sheet heading="preview-title" title={t`As its page will show it`}>
      <h3 className="mt-4 text-title wrap-anywhere" dir="auto" lang="">
        {goal.title ?? '–'}
      </h3>
      <GoalWords goal={goal} />
      <dl className="facts max-w-[65ch]">
        <div>
          <dt>
            <Trans>Target</Trans>
          </dt>
          <dd>{target}</dd>
        </div>
        <div>
          <dt>
            <Trans>Days</Trans>
          </dt>
          <dd>{days}</dd>
        </div>
        <div>
          <dt>
            <Trans>Wallet</Trans>
          </dt>
          <dd>
            <bdi className="hash wrap-anywhere">{goal.wallet ? checksumAddress(goal.wallet) : '–'}</bdi>
          </dd>
        </div>
      </dl>
      {goal.wallet && (
        <p className="mt-4 max-w-[65ch] text-muted">
          <Trans>
            A member wrote this. We checked that the wallet is the member's. We did not check the story.
          </Trans>
        </p>
      )}
    </Sheet>
  )
}

interface SubmitFormProps {
  goal: MyGoal
  member: string
  refused: RefusedForm | undefined
}

function SubmitForm({ goal, member, refused }: SubmitFormProps) {
  const { t } = useLingui()
  const isTicked = (name: string) => refused?.values?.[name] === 'yes'
  const first = refused?.status === 400 ? ticks.find((name) => !isTicked(name)) : undefined
  const box = (name: (typeof ticks)[number], words: string) => (
    <Tick
      name={name}
      defaultChecked={isTicked(name)}
      aria-invalid={(first && !isTicked(name)) || undefined}
      aria-describedby={first && 'submit-error'}
      autoFocus={name === first}
    >
      {words}
    </Tick>
  )
  return (
    <form
      id="submit"
      method="post"
      action={`${pageOf(goal.id)}/check`}
      noValidate
      className="sheet grid max-w-2xl gap-3"
    >
      <input type="hidden" name="member" value={member} />
      <input type="hidden" name="version" value={goal.version} />
      {box(
        'may',
        t`I may ask for this, and speak for the name above. The pictures and texts are mine to use.`,
      )}
      {box(
        'public',
        t`I know that it stays public for ever once it is approved, even if I delete my account.`,
      )}
      {box('report', t`I will report within 90 days after its end what the money bought.`)}
      <FieldFault id="submit-error">{refused?.notice?.text}</FieldFault>
      <p>
        <button type="submit" className="button button-ink">
          <Trans>Submit for review</Trans>
        </button>
      </p>
    </form>
  )
}

export const ErrorBoundary = FormErrorPage
