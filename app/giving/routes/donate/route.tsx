import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  data as respond,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { nearestPreset } from '~/giving/amounts'
import { type AcceptedToken, acceptedTokens } from '~/ledger/accepted'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf, pageMeta } from '~/platform/rendering/seo'
import { brand } from '~/platform/site'
import { AmountStep } from './amount-step'
import { type GoalCause, phraseOf } from './cause'
import { CauseStep } from './cause-step'
import { type Choice, choicePath, readChoice } from './choice'
import { ClosedGoal } from './closed-goal'
import { listCauses, readAmountStep, readCauseStep, readPayStep } from './gift.server'
import { goalTokens, isForGoal, readRecipient } from './goal-recipient.server'
import { PayStep } from './pay-step'
import { readTypedAmount } from './typed-amount.server'

export const handle: PageHandle = { cached: ['to', 'token', 'amount', 'fault'], gives: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const page = args.data
  const { i18n } = languageOf(args.matches)
  const cause = page && 'choice' in page ? phraseOf({ to: page.choice.to, goal: page.goal }, i18n) : undefined
  const amount = page?.step === 'pay' ? page.amount : null
  return pageMeta({
    title: !cause ? msg`Donate` : amount ? msg`Send ${amount} to ${cause}` : msg`Give to ${cause}`,
    description: msg`Give to an impact pool, to CZ Call or to the ${brand} treasury in three steps: the cause, the amount, and how to send it.`,
    path: '/donate',
    noindex: Boolean(page && 'choice' in page && page.goal),
  })(args)
}

/**
 * Returns the choice in a URL and the tokens to choose from, or a redirect to the nearest choice. Does not
 * check that a goal exists.
 */
function choose(request: Request, context: AppLoadContext): { choice: Choice; tokens: AcceptedToken[] } {
  const { searchParams } = new URL(request.url)
  const goal = searchParams.get('to')
  const isGoal = isForGoal(goal, context)
  const causes = isGoal ? [{ slug: goal, address: goal }] : listCauses(context.config)
  const tokens = isGoal ? goalTokens(context) : acceptedTokens(context.config)
  const { choice, canonical } = readChoice(searchParams, causes, tokens)
  const [to, token, amount, fault] = ['to', 'token', 'amount', 'fault'].map((name) => searchParams.get(name))
  if (choicePath({ to, token, amount, fault } as object) !== canonical) throw redirect(canonical)
  return { choice, tokens }
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context
  const { choice, tokens } = choose(request, context)
  const { to } = choice
  if (to === null) return respond(await readCauseStep(config, context.publicData(), choice.fault))
  if (!isForGoal(to, context)) return respond(await readStep({ ...choice, to }, tokens, context, null))
  const goal = await readRecipient(context, to)
  if (typeof goal !== 'string') return respond(await readStep({ ...choice, to }, tokens, context, goal))
  const status = { none: 404, unknown: 503 }[goal as string] ?? 200
  return respond({ step: 'closed' as const, choice: { ...choice, to }, goal: null, why: goal }, status)
}

/** The data of the second or the third step. */
async function readStep(
  choice: Choice & { to: string },
  tokens: AcceptedToken[],
  context: AppLoadContext,
  goal: (GoalCause & { wallet: string }) | null,
) {
  const cause = goal && { slug: goal.slug, title: goal.title }
  const step = await readAmountStep(choice, tokens, context, cause)
  if (choice.amount === null) return step
  const preset = step.presets.find(({ dollars }) => dollars === choice.amount)
  if (preset) return readPayStep({ choice, token: step.token, units: preset.units }, context, goal)
  // Without a price there are no amounts in dollars. The step says so, and asks for an amount of the token.
  throw redirect(choicePath({ to: choice.to, token: step.token.symbol }))
}

/** Shows the third step with an entered amount, or says why the amount is refused. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { language } = context
  const { choice, tokens } = choose(request, context)
  const { to } = choice
  if (to === null) throw redirect(choicePath({}))
  const typed = String((await readForm(request)).get('amount') ?? '')
  const token = tokens.find(({ symbol }) => symbol === choice.token) ?? tokens[0]
  if (!token) throw redirect(choicePath(isForGoal(to, context) ? { to } : {}))
  const refused = (message: string, status: number) =>
    refuse(
      context,
      { payload: { amount: typed } },
      { message, field: 'amount', status },
      { step: 'refused' as const, nearest: nearestPreset(typed) },
    )
  const units = readTypedAmount(typed, token, language)
  if (typeof units !== 'bigint') return refused(units, 400)
  const goal = isForGoal(to, context) ? await readRecipient(context, to) : null
  if (goal === 'unknown')
    return refused(
      language.i18n._(msg`We can't load this goal right now. Please try again in a moment.`),
      503,
    )
  // The second step says why no gift to this goal is possible.
  if (typeof goal === 'string') throw redirect(choicePath({ to }), 303)
  return readPayStep({ choice: { ...choice, to, amount: null }, token, units }, context, goal)
}

export default function Donate() {
  const page = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer?.step === 'pay') return <PayStep page={answer} />
  if (page.step === 'closed') {
    const again = answer && { typed: answer.values?.amount ?? '', action: choicePath(page.choice) }
    return <ClosedGoal slug={page.choice.to} why={page.why} again={again} />
  }
  if (page.step === 'amount') return <AmountStep page={page} refused={answer} />
  return page.step === 'pay' ? <PayStep page={page} /> : <CauseStep page={page} />
}
