import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { acceptedTokens } from '~/donate/accepted'
import { nearestPreset } from '~/donate/amounts'
import { causePhrase } from '~/donate/cause-phrase'
import { readForm } from '~/forms/form.server'
import type { PageHandle } from '~/rendering/handle'
import { languageOf, pageMeta } from '~/rendering/seo'
import { brand } from '~/site'
import { AmountStep } from './amount-step'
import { CauseStep } from './cause-step'
import { type Choice, choicePath, readChoice } from './choice'
import { listCauses, type RefusedAmount, readAmountStep, readCauseStep, readPayStep } from './gift.server'
import { PayStep } from './pay-step'
import { readTypedAmount } from './typed-amount.server'

export const handle: PageHandle = { cached: ['to', 'token', 'amount', 'fault'], gives: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const page = args.data
  const { i18n } = languageOf(args.matches)
  const cause = page && page.step !== 'cause' ? causePhrase(page.choice.to, i18n) : undefined
  const amount = page?.step === 'pay' ? page.amount : null
  return pageMeta({
    title: !cause ? msg`Donate` : amount ? msg`Send ${amount} to ${cause}` : msg`Give to ${cause}`,
    description: msg`Give to an impact pool, to CZ Call or to the ${brand} treasury in three steps: the cause, the amount, and how to send it.`,
    path: '/donate',
  })(args)
}

/** The choice of a URL, or a redirect to the nearest one. */
function choose(request: Request, config: Parameters<typeof listCauses>[0]): Choice {
  const { searchParams } = new URL(request.url)
  const { choice, canonical } = readChoice(searchParams, listCauses(config), acceptedTokens(config))
  const [to, token, amount, fault] = ['to', 'token', 'amount', 'fault'].map((name) => searchParams.get(name))
  if (choicePath({ to, token, amount, fault } as object) !== canonical) throw redirect(canonical)
  return choice
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context
  const choice = choose(request, config)
  const { to, amount } = choice
  if (to !== null) {
    const step = await readAmountStep({ ...choice, to }, config, context.publicData())
    if (amount === null) return step
    const preset = step.presets.find(({ dollars }) => dollars === amount)
    if (preset) return readPayStep({ choice: step.choice, token: step.token, units: preset.units }, config)
    throw redirect(choicePath({ ...choice, amount: null, fault: 'rate' }))
  }
  return readCauseStep(config, context.publicData())
}

/** Another amount than the offered ones: shows the third step with it, or says why it is refused. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { config } = context
  const choice = choose(request, config)
  const { to } = choice
  if (to === null) throw redirect(choicePath({}))
  const typed = String((await readForm(request)).get('amount') ?? '')
  const tokens = acceptedTokens(config)
  const token = tokens.find(({ symbol }) => symbol === choice.token) ?? tokens[0]
  if (!token) throw redirect(choicePath({}))
  const units = readTypedAmount(typed, token, context.language)
  if (typeof units === 'bigint') return readPayStep({ choice: { ...choice, to }, token, units }, config)
  const refused: RefusedAmount = { step: 'refused', typed, sentence: units, nearest: nearestPreset(typed) }
  return data(refused, 400)
}

export default function Donate() {
  const page = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer?.step === 'pay') return <PayStep page={answer} />
  if (page.step === 'amount') return <AmountStep page={page} refused={answer} />
  return page.step === 'pay' ? <PayStep page={page} /> : <CauseStep page={page} />
}
