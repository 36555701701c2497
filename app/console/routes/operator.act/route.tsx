import { parseWithZod } from '@conform-to/zod/v4'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { ActEffect } from '~/acts/act-effect'
import { ActFacts } from '~/acts/act-facts'
import { commandLine } from '~/acts/act-faults'
import { shownValue } from '~/acts/act-values'
import {
  type Act,
  alreadyDone,
  confirmAct,
  dropAct,
  explained,
  readAct,
  readAppointee,
  readMoved,
  submitAct,
} from '~/acts/acts.server'
import type { Field } from '~/acts/forms/fields'
import { needsTwo } from '~/acts/forms/kind'
import type { Subject } from '~/acts/forms/subject'
import { requireOperator } from '~/acts/guard.server'
import { MustTick } from '~/acts/must-tick'
import { isActive } from '~/acts/published-acts.server'
import { fieldsOfAct } from '~/acts/schemas'
import { mustSpeak, Speaks } from '~/acts/speaks'
import { hasPrivateReason, isActKind, kindOf, pageOfAct } from '~/console/act-kinds'
import { splitLinks } from '~/console/picture.server'
import { RemainingOperators } from '~/console/remaining-operators'
import { readSubject } from '~/console/subjects.server'
import { isGoalKind } from '~/goals/acts'
import { GoalReview } from '~/goals/goal-review'
import { type GoalReview as GoalReviewData, readGoalReview } from '~/goals/goal-review.server'
import { Caption } from '~/ledger/caption'
import type { UpdatePicture } from '~/ledger/update-picture'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { FactorFields } from '~/members/auth/code-field'
import { logAuthError } from '~/members/auth/error-log.server'
import { answerChallenge, listFactors, usable } from '~/members/auth/factor.server'
import { parseAnswer } from '~/members/auth/factor-form.server'
import { FormErrorPage } from '~/members/auth/send-again'
import { AnsweredPostsSheet } from '~/payments/answered-posts'
import { readAnsweredPosts } from '~/payments/answered-posts.server'
import { mustBeRight, OrderSheet, OrderTicks } from '~/payments/order-check'
import { checkOrder, type OrderCheck } from '~/payments/payees.server'
import { readRecipient } from '~/payments/recipient.server'
import { readForm } from '~/platform/forms/form.server'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { publishChanges } from '~/platform/live/publish.server'
import type { Language } from '~/platform/locales/language'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { hiddenMeta } from '~/platform/rendering/seo'
import type { Data } from '~/platform/server/data.server'
import { found } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { When } from '~/platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '~/platform/ui/words'

export const meta: MetaFunction = hiddenMeta(
  msg({ message: 'Act', comment: 'The title of a page: something that an operator did or proposes' }),
)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const operator = await requireOperator(context, new URL(request.url).pathname)
  const data = context.data()
  const act = found(await readAct(data, params.id))
  const about = isOpen(act) ? await readAbout(data, context.language, act) : null
  const isForeign = act.state === 'waiting' && act.by !== operator.handle
  const appointee = act.kind === 'operator' && isOpen(act) ? await readAppointee(data, act) : null
  const recipient =
    (act.kind === 'order' || act.kind === 'standing-order') && act.arguments.to && isOpen(act)
      ? found(await readRecipient(data, context.config, context.language, act.arguments.to))
      : []
  return {
    act,
    /** The apps whose code a press needs; none if one was given within ten minutes. */
    factors:
      isOpen(act) && !operator.proven
        ? usable(await listFactors(context, operator.viewer.accessToken, new URL(request.url).pathname))
        : [],
    recipient,
    order: act.kind === 'order' && isOpen(act) ? await checkOrder(data, context.config, act.arguments) : null,
    answered:
      act.kind === 'standing-order' && isOpen(act) ? await readAnsweredPosts(data, act.arguments) : null,
    appointee,
    subject: null,
    review: null,
    ...about,
    picture: splitLinks(act.arguments.links ?? '').picture,
    fields: fieldsOfAct(kindOf(act.kind)),
    me: operator.handle,
    others: operator.others,
    /** The end of the last other operator waits an hour for the operator who proposed it. */
    mayConfirmOwn:
      act.kind === 'operator-end' && (act.submittedAt?.getTime() ?? Infinity) < Date.now() - 3_600_000,
    mayDrop: !(isForeign && act.by && (await isActive(data, act.by))),
  }
}

/**
 * What an open act is about: a goal, or another published subject. The page of an act without all that becomes
 * public has no button, so an unreadable goal fails the page.
 */
async function readAbout(
  data: Data,
  language: Language,
  { kind, subject, arguments: values }: Act,
): Promise<{ subject: Subject | null } | { review: GoalReviewData } | null> {
  if (!subject || !isActKind(kind)) return null
  if (isGoalKind(kind)) return { review: found(await readGoalReview(data, subject)) }
  const about = await readSubject(data, language, kind, subject, values)
  return { subject: about === 'none' ? null : found(about) }
}

const intents = { submit: submitAct, confirm: confirmAct, drop: dropAct }
/** A press on one of the buttons. */
const press = z.object({ intent: z.enum(['submit', 'confirm', 'drop']) })

export async function action({ request, params, context }: ActionFunctionArgs) {
  const path = new URL(request.url).pathname
  const form = await readForm(request)
  const { viewer, proven } = await requireOperator(context, path, { form })
  const { i18n } = context.language
  const submission = parseWithZod(form, { schema: press })
  if (submission.status !== 'success') throw new Response(null, { status: 400, statusText: 'Bad Request' })
  const { intent } = submission.value
  const perform = intents[intent]
  const stored = context.data()
  const act = found(await readAct(stored, params.id), form)
  const refuseWith = (why: Parameters<typeof refuse>[2]) =>
    refuse(context, submission, { ...why, hide: ['code'] }, fresh)
  const refuseLate = (done: Act) =>
    refuseWith({ message: alreadyDone(done).words(context.language), status: statusOf('already_done') })
  // Before the code: a press that comes too late needs none.
  if (intent === 'submit' ? act.state !== 'draft' : !isOpen(act)) return refuseLate(act)
  const missing = perform === confirmAct && ticksOf(act).find(([name]) => form.get(name) !== 'yes')
  if (missing) {
    const [field, message] = missing
    return refuseWith({ message: i18n._(message), field })
  }
  let api = stored
  if (perform !== dropAct && !proven) {
    const answer = parseAnswer(form, i18n)
    if (answer.status !== 'success') return refuseWith({ message: i18n._(needsCode), field: 'code' })
    const failure = await answerChallenge(context, viewer, answer.value)
    if (failure) {
      // Of two presses with one code, the other one may still be doing the act.
      const moved = failure.error.code === 'code_used' && (await readMoved(stored, act))
      if (moved) return refuseLate(moved)
      logAuthError(context.log, 'factor.refused', failure.error, { intent: 'act' })
      const options = { field: 'code', hide: ['code'], returnTo: path }
      return refuseAuth(context, submission, failure.error, options, { challengeId: failure.challengeId })
    }
    const { data } = await (await context.auth()).getSession()
    if (data.session) api = context.dataAs(data.session.access_token)
  }
  const outcome = await perform(api, kindOf(act.kind), act)
  if ('state' in outcome) {
    // A second press of the same button leads to the same page.
    if (outcome.state === 'done') context.execution.waitUntil(publishChanges(context))
    throw redirect(path, 303)
  }
  const { code, field, words } = explained(outcome, form)
  if (code === 'factor_needed') return refuseWith({ message: i18n._(needsCode), field: 'code' })
  return refuseWith({ message: words(context.language), field, status: statusOf(code) })
}

/** What the second operator must tick, and what is said without it. */
function ticksOf({ kind, arguments: values }: Act): [name: string, message: MessageDescriptor][] {
  if (kind === 'goal-approval') return [['speaks', mustSpeak]]
  if (kind === 'update' && values.consent) return [['no_child', mustBeAdult]]
  return kind === 'order' ? Object.entries(mustBeRight) : []
}

const mustBeAdult = msg`Say that no child can be recognised. Otherwise, do not confirm.`

const needsCode = msg`Nothing is done yet. Enter the code from your app, and press the button again.`
/** A refusal after which the next code gets a challenge of its own. */
const fresh: { challengeId: string | undefined } = { challengeId: undefined }

/** 409 if the state of the act or of its subject does not allow it, otherwise 400. */
function statusOf(code: string): number {
  return ['already_done', 'changed', 'own_act', 'no_second', 'proposer_ended', 'not_yours'].includes(code)
    ? 409
    : 400
}

function isOpen({ state }: Act): boolean {
  return state === 'draft' || state === 'waiting'
}

export default function ActPage() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const {
    act,
    factors,
    order,
    answered,
    recipient,
    subject,
    review,
    picture,
    me,
    others,
    mayDrop,
    mayConfirmOwn,
  } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator/acts', label: t`Acts` }} title={i18n._(titleOf(act))} />
        <Refused form={refused}>{refused?.notice.text}</Refused>
        {order && <OrderSheet order={order} />}
        {answered && <AnsweredPostsSheet answered={answered} />}
        {subject && <About subject={subject} />}
        <Appointee />
        {recipient.length > 0 && (
          <ActFacts title={t`Who receives it`} facts={recipient.map(([name, text]) => ({ name, text }))} />
        )}
      </div>
      {review && (
        <GoalReview
          review={review}
          title={act.kind === 'goal-approval' ? t`What will be public, word for word` : t`The goal`}
        />
      )}
      <div className="column">
        {isOpen(act) && <Written />}
        {picture && <Picture picture={picture} />}
        {isOpen(act) && (
          <div className="mt-6">
            <ActEffect kind={kindOf(act.kind)} />
            {act.kind === 'operator-end' && <RemainingOperators count={others} waits={act.subject !== me} />}
          </div>
        )}
        <Buttons
          act={act}
          me={me}
          others={others}
          mayDrop={mayDrop}
          mayConfirmOwn={mayConfirmOwn}
          refused={refused}
          order={order}
          code={
            factors.length > 0 && (
              <FactorFields {...{ factors, refused }} challengeId={refused?.challengeId} />
            )
          }
        />
        <History act={act} />
        {act.state === 'done' && <Onward act={act} />}
      </div>
    </>
  )
}

/** The page that shows what was done, and the list of what waits for an operator. */
function Onward({ act }: { act: Act }) {
  const { t } = useLingui()
  const page = pageOfAct(act.kind, act)
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      {page && (
        <PageLink to={page} className="button">
          <Trans>See its page</Trans>
        </PageLink>
      )}
      <a href="/operator" className="button">{t`Operator`}</a>
    </p>
  )
}

/** The account of who would become an operator. */
function Appointee() {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { appointee } = useLoaderData<typeof loader>()
  if (!appointee) return null
  const { name, createdAt, confirmed } = appointee
  return (
    <ActFacts
      title={t`The account with this email address`}
      facts={[
        { name: t`Name`, text: name || t`Without a name` },
        { name: t`Since`, text: formats.day(createdAt) },
        {
          name: t`Email address`,
          text: confirmed ? t`Its owner has used an email to it` : t`Never used an email to it`,
        },
      ]}
    />
  )
}

/** What the operator wrote, grouped by who can read it afterwards. */
function Written() {
  const { t } = useLingui()
  const language = useLanguage()
  const { act, fields } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const values: Record<string, string> = { ...act.arguments, ...(act.reason && { reason: act.reason }) }
  const errorOf = (name: string) => refused?.errors[name]
  const written = fields.filter(({ name }) => values[name] || errorOf(name))
  const toFact = (field: Field) => ({
    name: language.i18n._(field.label),
    ...shownValue(field, values[field.name] ?? '', language),
    error: errorOf(field.name),
  })
  const isPublic = (field: Field) => !field.isPrivate
  return (
    <>
      {written.some(isPublic) && (
        <ActFacts
          title={
            hasPrivateReason(act.kind)
              ? t`What the member will read, word for word`
              : act.kind === 'goal-approval'
                ? t`What you add, for everyone to read`
                : t`What will be public, word for word`
          }
          facts={written.filter(isPublic).map(toFact)}
        />
      )}
      {!written.every(isPublic) && (
        <ActFacts
          title={t`What only operators see`}
          facts={written.filter(({ isPrivate }) => isPrivate).map(toFact)}
        />
      )}
    </>
  )
}

/**
 * The title: 'Publish a statement', or 'Correct a statement' for a correction, or
 * 'Published a statement' for an act that is done.
 */
function titleOf(act: Act): MessageDescriptor {
  const { title, correction, done } = kindOf(act.kind)
  if (act.state === 'done') return done
  return (isOpen(act) && act.subject && correction) || title
}

function Picture({ picture }: { picture: UpdatePicture }) {
  const lang = useLangOfEnglish()
  const { path, width, height, alt } = picture
  return (
    <figure className="mt-6">
      <img
        src={path}
        alt={alt}
        lang={lang}
        width={width}
        height={height}
        className="h-auto max-h-128 w-auto max-w-full rounded-block"
      />
      <Caption picture={picture} />
      <p className="mt-1 text-sm text-muted">
        <Trans>What the picture shows</Trans>
        {': '}
        <EnglishWords>{alt}</EnglishWords>
      </p>
    </figure>
  )
}

function About({ subject }: { subject: Subject }) {
  const { t } = useLingui()
  const { title, href, facts } = subject
  return (
    <ActFacts title={t`About: ${title}`} href={href} facts={facts.map(([name, text]) => ({ name, text }))} />
  )
}

/** The buttons for what this operator may do with the act now. */
function Buttons({
  act,
  me,
  others,
  mayDrop,
  mayConfirmOwn,
  refused,
  order,
  code,
}: {
  act: Act
  me: string
  others: number
  mayDrop: boolean
  mayConfirmOwn: boolean
  refused: RefusedForm | undefined
  order: OrderCheck | null
  /** The fields of the code that the press needs. */
  code: ReactNode
}) {
  const { t } = useLingui()
  const { kind, state, by } = act
  const { isHarsh } = kindOf(kind)
  const isTwo = needsTwo(kindOf(kind), act.arguments)
  const look = isHarsh ? 'button-bad' : 'button-ink'
  if (!isOpen(act)) return null
  return (
    <div className="mt-6 flex flex-wrap items-start gap-3">
      {state === 'draft' &&
        (isTwo && others === 0 ? (
          <p className="notice mt-0">
            <Trans>There is no second operator yet. Add one first.</Trans>
          </p>
        ) : (
          <IntentForm intent="submit" look={look} fields={code}>
            {isTwo ? t`Ask for a second operator` : t`Publish`}
          </IntentForm>
        ))}
      {state === 'waiting' &&
        (by === me && !mayConfirmOwn ? (
          <p className="notice mt-0">
            {kind === 'operator-end' ? (
              <Trans>The other operator can confirm this now, and you an hour after you proposed it.</Trans>
            ) : (
              <Trans>A second operator must confirm this. You proposed it.</Trans>
            )}
          </p>
        ) : (
          <IntentForm
            intent="confirm"
            look={look}
            fields={
              <>
                {kind === 'goal-approval' && <Speaks {...fieldsOf(refused)('speaks')} />}
                {kind === 'update' && act.arguments.consent && (
                  <MustTick {...fieldsOf(refused)('no_child')}>
                    <Trans>No child can be recognised on the photograph</Trans>
                  </MustTick>
                )}
                {kind === 'order' && <OrderTicks order={order} field={fieldsOf(refused)} />}
                {code}
              </>
            }
          >
            <Trans>Confirm</Trans>
          </IntentForm>
        ))}
      {state === 'draft' && (
        <a href={editPage(act)} className="button">
          <Trans>Edit</Trans>
        </a>
      )}
      {mayDrop && (
        <IntentForm intent="drop" look="button-bad">
          {state === 'draft' ? t`Delete this draft` : t`Withdraw this proposal`}
        </IntentForm>
      )}
    </div>
  )
}

/** The URL of the form that changes a draft. */
function editPage({ id, kind, subject }: Act): string {
  const page = isGoalKind(kind) ? `/operator/goals/${subject}` : `/operator/new/${kind}`
  return `${page}?${new URLSearchParams({ act: id })}`
}

function IntentForm({
  intent,
  look,
  fields,
  children,
}: {
  intent: keyof typeof intents
  look: 'button-ink' | 'button-bad'
  fields?: ReactNode
  children: ReactNode
}) {
  return (
    <form method="post" noValidate className="grid justify-items-start gap-3">
      <input type="hidden" name="intent" value={intent} />
      {fields}
      <button type="submit" className={`button ${look}`}>
        {children}
      </button>
    </form>
  )
}

/** Each step of the act, with its operator and time. */
function History({ act }: { act: Act }) {
  const { kind, state, by, second, savedAt, submittedAt, finalAt, number } = act
  const { i18n } = useLanguage()
  const who = by ?? i18n._(commandLine)
  return (
    <div className="mt-8 grid gap-1 text-muted">
      {state === 'draft' && (
        <p>
          <Trans>
            Draft of {who}, saved <When date={savedAt} />. Only you can see it.
          </Trans>
        </p>
      )}
      {submittedAt && (second || kindOf(kind).people === 2 || state === 'waiting') && (
        <p>
          <Trans>
            Proposed by {who}, <When date={submittedAt} />.
          </Trans>
        </p>
      )}
      {state === 'done' && finalAt && (
        <p>
          {second ? (
            <Trans>
              Done by {who}, confirmed by {second}, <When date={finalAt} />.
            </Trans>
          ) : (
            <Trans>
              Done by {who}, <When date={finalAt} />.
            </Trans>
          )}
          <Gap />
          {number !== null && (
            <PageLink to={`/transparency/acts?before=${number + 1}`} className="link">
              <Trans>See it in the public record</Trans>
            </PageLink>
          )}
        </p>
      )}
      {state === 'dropped' && finalAt && (
        <p>
          <Trans>
            Dropped, <When date={finalAt} />. Nothing was published.
          </Trans>
        </p>
      )}
    </div>
  )
}

export const ErrorBoundary = FormErrorPage
