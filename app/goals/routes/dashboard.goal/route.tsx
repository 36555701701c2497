import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { mailSettings } from '~/follow/mail/settings'
import { storedDraft, type TypedDraft, typedDraft } from '~/goals/draft.server'
import { walletFaultWords } from '~/goals/fault-words'
import { asOfGoalClock } from '~/goals/goal-clock.server'
import { isGoalId, listMyGoals, type MyGoal } from '~/goals/my-goals.server'
import { StageBadge } from '~/goals/stage-badge'
import { isActive, isDraft } from '~/goals/stages'
import { listProvenWallets } from '~/members/auth/proven-wallets.server'
import { FormErrorPage } from '~/members/auth/send-again'
import { requireAuthor } from '~/members/auth/send-again.server'
import { requireViewerWith } from '~/members/auth/viewer.server'
import { readFormWithFile } from '~/platform/forms/form.server'
import { Refused } from '~/platform/forms/refused'
import { Gap, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { found, notFound } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { NotFound } from '~/platform/ui/problem'
import { ConflictChoice } from './conflict'
import { deleteGoal, type RefusedGoal, type Sent, saveForm } from './draft-action.server'
import { endEarly, publishUpdate, takeBack } from './goal-action.server'
import { GoalForm } from './goal-form'
import { SubmittedGoal } from './submitted-goal'

export const handle: PageHandle = { fundMe: true, picture: { otherFields: 262_144 } }

export const meta: MetaFunction = hiddenMeta(msg`Your goal`)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { id } = params
  const { pathname, search, searchParams } = new URL(request.url)
  const access = context.data()
  const { viewer, value } = await requireViewerWith(context, pathname + search, (memberId) =>
    Promise.all([listMyGoals(access), listProvenWallets({ site: context.config, data: access, memberId })]),
  )
  if (!isGoalId(id)) throw notFound()
  const [listed, wallets] = value
  const goals = found(listed)
  const isNew = searchParams.has('new')
  const goal = goals.find((goal) => goal.id === id) ?? null
  const typed = goal ? storedDraft(goal) : emptyDraft()
  // The member has just proven this wallet for the goal (after-proof.server.ts).
  const proven = wallets?.find(({ address }) => address === searchParams.get('wallet'))
  return data(
    {
      id,
      member: viewer.id,
      goal: goal && asOfGoalClock(goal, context.config),
      /** The goal because of which the member can submit no other one. */
      active: goals.find(isActive)?.id ?? null,
      isNew,
      /** Whether the member already has the maximum number of drafts. */
      isFull: !goal && goals.filter(isDraft).length >= mostDrafts,
      isProvenNow: proven !== undefined,
      typed: proven ? { ...typed, wallet: proven.address } : typed,
      wallets: wallets?.map(({ address }) => address) ?? null,
      isMailed: mailSettings(context.config) !== null && viewer.email !== '',
    },
    goal || isNew ? 200 : 404,
  )
}

/** The maximum number of a member's drafts (private.limit_goals). */
const mostDrafts = 3

function emptyDraft(): TypedDraft {
  return typedDraft(new FormData())
}

const intents: Record<string, (sent: Sent) => ReturnType<typeof saveForm | typeof publishUpdate>> = {
  delete: deleteGoal,
  'take-back': takeBack,
  end: endEarly,
  update: publishUpdate,
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  requireFundMe(context)
  const { id } = params
  if (!isGoalId(id)) throw notFound()
  const { form, file } = await readFormWithFile(request, 'picture')
  const viewer = await requireAuthor(context, `/dashboard/goals/${id}`, form)
  const intent = String(form.get('intent') ?? '')
  const perform = Object.hasOwn(intents, intent) ? intents[intent] : saveForm
  return perform?.({ context, viewer, id, form, file })
}

export default function GoalPage() {
  const { t } = useLingui()
  const { id, member, goal, active, isNew, isFull, typed, wallets, isProvenNow, isMailed } =
    useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const refused: RefusedGoal | undefined = answer && 'errors' in answer ? answer : undefined
  // If the draft was deleted in another tab, the form must still show the entered values.
  if (!goal && !isNew && !refused) return <NotFound />
  return (
    <div className="column py-section">
      <PageHead
        back={{ to: '/dashboard#pools-title', label: t`Dashboard` }}
        title={goal ? t`Your goal` : t`Create Fund Pool`}
      >
        {goal && (
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <StageBadge {...goal} />
            {!isDraft(goal) && (
              <span className="text-xl wrap-anywhere" dir="auto" lang="">
                {goal.title}
              </span>
            )}
          </p>
        )}
      </PageHead>
      {refused?.conflict ? (
        <ConflictChoice conflict={refused.conflict} id={id} member={member} />
      ) : goal && !isDraft(goal) ? (
        <SubmittedGoal goal={goal} member={member} isMailed={isMailed} refused={refused} />
      ) : isFull && !refused ? (
        <p className="notice">
          <Trans>You have 3 drafts. Submit or delete one first.</Trans>
        </p>
      ) : (
        <>
          <Lead goal={goal} active={active} />
          {refused && (
            <Refused form={refused}>
              {refused.errors.picture ? (
                <Trans>The texts are saved, but the picture is not. Choose it again.</Trans>
              ) : (
                <Trans>Not saved yet.</Trans>
              )}
              <Gap />
              {refused.notice?.text}
            </Refused>
          )}
          <GoalForm
            typed={typed}
            refused={refused}
            goal={goal}
            id={id}
            member={member}
            wallets={wallets}
            isProvenNow={isProvenNow && !refused}
          />
          {goal && <DeleteForm id={id} member={member} />}
        </>
      )}
    </div>
  )
}

/** The purpose of the form, and why operators returned the goal. */
function Lead({ goal, active }: { goal: MyGoal | null; active: string | null }) {
  const { i18n } = useLanguage()
  if (goal?.stage === 'returned')
    return (
      <div className="notice">
        <p className="font-semibold">
          {goal.fault ? (
            <Trans>We returned this goal to you.</Trans>
          ) : (
            <Trans>Operators returned this goal to you.</Trans>
          )}
        </p>
        {goal.fault && <p className="mt-2">{i18n._(walletFaultWords[goal.fault])}</p>}
        {goal.reason && <p className="mt-2 whitespace-pre-line wrap-anywhere">{goal.reason}</p>}
        <p className="mt-2 text-muted">
          <Trans>Change it and submit it again.</Trans>
        </p>
      </div>
    )
  return (
    <div className="mt-3 grid max-w-[65ch] gap-3 text-muted">
      <p>
        {!goal && (
          <>
            <Trans>A FundMe pool collects money for one goal.</Trans>
            <Gap />
          </>
        )}
        <Trans>
          The plan can have several costs. You can save it unfinished: only you see it until you submit it.
          Then two operators must approve it, and people give straight to your wallet.
        </Trans>
      </p>
      <p>
        <Trans>
          Make a new account in your wallet app first: it must never have been used. What you write here stays
          public for ever once it is approved.
        </Trans>
      </p>
      {active && active !== goal?.id ? (
        <p className="notice mt-0 text-ink">
          <Trans>
            You can have one goal at a time: you can write this one now, and submit it when{' '}
            <a href={`/dashboard/goals/${active}`} className="link">
              your other goal
            </a>{' '}
            is completed.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>You can have one goal at a time, and up to {mostDrafts} drafts.</Trans>
        </p>
      )}
    </div>
  )
}

function DeleteForm({ id, member }: { id: string; member: string }) {
  return (
    <form method="post" action={`/dashboard/goals/${id}`} className="mt-10 border-t border-hairline pt-6">
      <input type="hidden" name="member" value={member} />
      <input type="hidden" name="intent" value="delete" />
      <button type="submit" className="button button-bad">
        <Trans>Delete this draft</Trans>
      </button>
    </form>
  )
}

export const ErrorBoundary = FormErrorPage
