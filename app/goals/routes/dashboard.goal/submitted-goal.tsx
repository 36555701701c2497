import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { GoalWords } from '~/goals/goal-words'
import type { MyGoal } from '~/goals/my-goals.server'
import { PictureFields } from '~/members/pictures/picture-fields'
import { Control, Tick } from '~/platform/forms/control'
import { fieldsOf } from '~/platform/forms/refusal'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { brand } from '~/platform/site'
import { Sheet } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { checksumAddress } from '~/wallet/address'
import type { RefusedGoal } from './draft-action.server'

/** A submitted goal with its stage and the member's possible actions. */
export function SubmittedGoal({
  goal,
  member,
  isMailed,
  refused,
}: {
  goal: MyGoal
  member: string
  /** Whether the site sends emails and the member has an email address. */
  isMailed: boolean
  refused: RefusedGoal | undefined
}) {
  const { stage, frozen } = goal
  const canPost = (stage === 'open' || stage === 'ended') && !frozen
  return (
    <div className="mt-6 grid gap-8">
      <Standing goal={goal} isMailed={isMailed} />
      {stage === 'submitted' && (
        <IntentForm goal={goal} member={member} intent="take-back">
          <button type="submit" className="button">
            <Trans>Take it back</Trans>
          </button>
        </IntentForm>
      )}
      <WaitingUpdate goal={goal} />
      {canPost && <UpdateForm goal={goal} member={member} refused={refused} />}
      {stage === 'open' && <EndForm goal={goal} member={member} refused={refused} />}
      {(stage === 'submitted' || stage === 'rejected') && <Words goal={goal} />}
    </div>
  )
}

/** Explains the stage and the next step. */
function Standing({ goal, isMailed }: { goal: MyGoal; isMailed: boolean }) {
  const { stage, frozen, slug, reason, submittedAt, endsAt, endedAt, completedAt, reportDueAt } = goal
  const isPublic = !['submitted', 'rejected'].includes(stage)
  return (
    <div className="grid max-w-[65ch] gap-3">
      {frozen && (
        <p className="font-semibold">
          <Trans>Operators froze this goal: its page shows no wallet. Their reason is on its page.</Trans>
        </p>
      )}
      {stage === 'submitted' && submittedAt && (
        <p>
          <Trans>
            In review since <When date={submittedAt} />. Operators read it, and we check the wallet. Two
            operators must approve it. Don't use the wallet until then.
          </Trans>
          <Gap />
          {isMailed && <Trans>We email you what they decide.</Trans>}
        </p>
      )}
      {stage === 'rejected' && (
        <>
          <p>
            <Trans>Operators rejected this goal. It can't be submitted again. Their reason:</Trans>
          </p>
          {reason && <p className="whitespace-pre-line wrap-anywhere">{reason}</p>}
        </>
      )}
      {stage === 'open' && !frozen && endsAt && (
        <p>
          <Trans>
            Open until <When date={endsAt} />.
          </Trans>
        </p>
      )}
      {stage === 'ended' && endedAt && reportDueAt && (
        <p>
          {goal.reportNumber !== null ? (
            <Trans>
              Ended <When date={endedAt} />. Your final report is published. An operator reads it next.
            </Trans>
          ) : goal.isOverdue ? (
            <Trans>
              Ended <When date={endedAt} />. Your final report was due on <When date={reportDueAt} day />: say
              now what the money bought. Until operators accept it, you can't submit another goal.
            </Trans>
          ) : (
            <Trans>
              Ended <When date={endedAt} />. Publish your final report by <When date={reportDueAt} day />.
            </Trans>
          )}
        </p>
      )}
      {stage === 'completed' && completedAt && (
        <p>
          <Trans>
            Completed <When date={completedAt} />: operators accepted your final report. Thank you.
          </Trans>
        </p>
      )}
      {stage === 'annulled' && (
        <p>
          <Trans>Operators annulled this goal. Their reason is on its page.</Trans>
        </p>
      )}
      {isPublic && <Received goal={goal} />}
      {isPublic && slug && (
        <p>
          <PageLink to={`/giveback/${slug}`} className="button">
            <Trans>See its page</Trans>
          </PageLink>
        </p>
      )}
    </div>
  )
}

function Received({ goal: { receivedUsd, targetUsd, pendingCount, unvaluedCount } }: { goal: MyGoal }) {
  const { formats } = useLanguage()
  if (receivedUsd === null || targetUsd === null) return null
  const received = formats.dollars(receivedUsd)
  const target = formats.dollars(targetUsd)
  const uncounted = (pendingCount ?? 0) + (unvaluedCount ?? 0)
  const count = formats.count(uncounted)
  return (
    <p className="figures">
      <Trans>
        <strong>{received}</strong> of {target} arrived.
      </Trans>
      <Gap />
      {uncounted > 0 && <Trans>Payments that are not counted yet: {count}.</Trans>}
    </p>
  )
}

/** The texts of a goal that has no public page. */
function Words({ goal }: { goal: MyGoal }) {
  const { t } = useLingui()
  return (
    <Sheet heading="words-title" title={goal.title ?? t`Without a title`}>
      <GoalWords goal={goal} />
      {goal.wallet && (
        <p className="mt-4">
          <Trans>
            Wallet: <bdi className="hash wrap-anywhere">{checksumAddress(goal.wallet)}</bdi>
          </Trans>
        </p>
      )}
    </Sheet>
  )
}

/** The update that the member sent and that is not public yet. Another one with the name of the site replaces it. */
function WaitingUpdate({ goal: { waitingUpdate, waitingSince } }: { goal: MyGoal }) {
  const { t } = useLingui()
  if (waitingUpdate === null || waitingSince === null) return null
  return (
    <Sheet heading="waiting-title" title={t`Your update waits for an operator`}>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          Sent <When date={waitingSince} />. It names {brand}, so an operator reads it before it is public.
        </Trans>
      </p>
      <p className="mt-3 max-w-[65ch] whitespace-pre-line wrap-anywhere" dir="auto" lang="">
        {waitingUpdate}
      </p>
    </Sheet>
  )
}

function IntentForm({
  goal,
  member,
  intent,
  children,
}: {
  goal: MyGoal
  member: string
  intent: string
  children: ReactNode
}) {
  return (
    <form
      method="post"
      action={`/dashboard/goals/${goal.id}`}
      encType={intent === 'update' ? 'multipart/form-data' : undefined}
      noValidate
      className="mt-3 grid max-w-2xl justify-items-start gap-5 *:w-full"
    >
      <input type="hidden" name="member" value={member} />
      <input type="hidden" name="intent" value={intent} />
      {children}
    </form>
  )
}

interface FormProps {
  goal: MyGoal
  member: string
  refused: RefusedGoal | undefined
}

function UpdateForm({ goal, member, refused }: FormProps) {
  const { t } = useLingui()
  const own = refused?.form === 'update' ? refused : undefined
  const field = fieldsOf(own)
  return (
    <Sheet heading="update-title" title={t`Post an update`}>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          Everyone can read it, for ever: you can't edit or delete an update. At most 3 a day. Followers get
          it by email an hour later. Protect the people you help: leave out private details.
        </Trans>
      </p>
      <IntentForm goal={goal} member={member} intent="update">
        <Control {...field('text')} label={t`What happened`}>
          {(attributes) => <textarea {...attributes} rows={6} className="field" dir="auto" />}
        </Control>
        <Control
          {...field('links')}
          label={t`Links`}
          hint={t`Up to 5 pages that show more, one on each line. Each starts with https://.`}
          optional
        >
          {(attributes) => <textarea {...attributes} rows={2} className="field" dir="ltr" />}
        </Control>
        <PictureFields picture={null} description="picture_text" field={field} />
        {goal.stage === 'ended' && (
          <Tick name="report" defaultChecked={own?.values?.report === 'yes'}>
            <Trans>This is my final report: it says what the money bought</Trans>
          </Tick>
        )}
        <p>
          <button type="submit" className="button button-ink">
            <Trans comment="A button: makes a text public">Publish</Trans>
          </button>
        </p>
      </IntentForm>
    </Sheet>
  )
}

function EndForm({ goal, member, refused }: FormProps) {
  const { t } = useLingui()
  const own = refused?.form === 'end' ? refused : undefined
  return (
    <Sheet heading="end-title" title={t`End it now`}>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          Its page will no longer show your wallet, and the goal can't be opened again. You must still report
          what the money that arrived bought.
        </Trans>
      </p>
      <IntentForm goal={goal} member={member} intent="end">
        {goal.frozen ? (
          <p className={own && 'font-semibold text-bad'} role={own && 'alert'}>
            {own?.notice?.text ?? <Trans>Because it is frozen, it ends without a public reason.</Trans>}
          </p>
        ) : (
          <Control
            {...fieldsOf(own)('reason')}
            label={t`Why`}
            hint={t`Everyone can read it. 10 to 500 characters.`}
          >
            {(attributes) => <textarea {...attributes} rows={3} className="field" dir="auto" />}
          </Control>
        )}
        <p>
          <button type="submit" className="button button-bad">
            <Trans>End this goal</Trans>
          </button>
        </p>
      </IntentForm>
    </Sheet>
  )
}
