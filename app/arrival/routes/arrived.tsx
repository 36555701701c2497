import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type Ask, askValue } from '~/arrival/answers.server'
import { answers } from '~/arrival/strengths'
import { neverToken, readToken } from '~/arrival/token'
import { answerWords, StrengthWords } from '~/arrival/words'
import { amountWords } from '~/ledger/amount'
import { ListUnavailable } from '~/ledger/unavailable'
import { Withdrawn } from '~/ledger/withdrawn'
import { FormErrorPage } from '~/members/auth/send-again'
import { Control } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import { readForm } from '~/platform/forms/form.server'
import { fieldsOf } from '~/platform/forms/refusal'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { tidyText } from '~/platform/forms/text'
import { publishChanges } from '~/platform/live/publish.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { outagePage } from '~/platform/server/outage.server'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'
import { When } from '~/platform/ui/when'
import { EnglishWords, WordsOfMember } from '~/platform/ui/words'

// The page of a link that was mailed or printed, without an account or script. A GET changes nothing, because mail
// scanners open links. The token is in the query, which no log of ours has.

export const meta: MetaFunction = privateMeta(msg`Did it arrive?`)

/** No other site learns the address. Not 'no-referrer': a form of an old browser would then have 'Origin: null'. */
export const headers: HeadersFunction = () => ({ 'Referrer-Policy': 'same-origin' })

const statusOf = { open: 200, 'answered twice': 200, corrected: 410, ended: 410, unknown: 404 } as const

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = readToken(request)
  const limited = await context.limit('answer')
  const ask = limited ? null : await context.publicData().call('read_ask', askValue, { token })
  const never = ask && ask.state !== 'unknown' && ask.strength === 'mail' ? await neverToken(token) : null
  return data({ ask, never, isLimited: limited !== null }, limited ? 429 : ask ? statusOf[ask.state] : 503)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = readToken(request)
  const form = await readForm(request)
  const typed = (name: string) => tidyText(form.get(name)) || null
  const values = { name: typed('name'), words: typed('words') }
  const { i18n } = context.language
  const no = (message: string, status: number, field?: string) =>
    refuse(
      context,
      { payload: { name: values.name ?? '', words: values.words ?? '' } },
      { message, status, field },
      { ask: null },
    )
  if (await context.limit('answer')) return no(i18n._(tooManyRequests), 429)
  const isWithdrawal = typed('intent') === 'withdraw'
  const answer = answers.find((one) => one === typed('answer')) ?? null
  if (!isWithdrawal && !answer) return no(i18n._(msg`Press one of the three answers.`), 400, 'answer')
  const sent = isWithdrawal
    ? await context.publicData().command('withdraw_answer', askValue, { token })
    : await context.publicData().command('answer_ask', askValue, {
        ...{ token, ...values, answer },
        seen: Number(/^[01]$/.exec(typed('seen') ?? '')?.[0] ?? 0),
      })
  if ('value' in sent) {
    context.execution.waitUntil(publishChanges(context))
    return { ask: sent.value }
  }
  if (sent.code !== 'invalid_field') throw outagePage(form)
  const { field, message } = faultOf(context, sent.detail)
  return no(message, 400, field)
}

/** The sentence for a text that the database refused. */
function faultOf({ language: { i18n } }: AppLoadContext, detail: unknown) {
  const { field = '', why = '' } = detail as { field?: string; why?: string }
  const sentences: Record<string, string> = {
    length: field === 'name' ? i18n._(msg`At most 100 characters.`) : i18n._(msg`At most 500 characters.`),
    address: i18n._(msg`Leave out wallets, accounts and telephone numbers: everyone can read this.`),
    link: i18n._(msg`Leave out links: everyone can read this.`),
  }
  return { field, message: sentences[why] ?? i18n._(msg`It has a character that we can't store.`) }
}

export default function Arrived() {
  const { t } = useLingui()
  const loaded = useLoaderData<typeof loader>()
  const pressed = useActionData<typeof action>()
  const ask = pressed?.ask ?? loaded.ask
  const refused = pressed && 'notice' in pressed ? pressed : undefined
  if (!ask || ask.state === 'unknown')
    return (
      <NarrowSheet title={ask ? t`This link is not valid` : t`Did it arrive?`}>
        {ask ? (
          <p className="mt-4">
            <Trans>
              It may be incomplete. Copy the full link from the email or from the page that we printed.
            </Trans>
          </p>
        ) : loaded.isLimited ? (
          <p className="mt-4" role="alert">
            <Trans>Too many requests. Please try again in a few minutes.</Trans>
          </p>
        ) : (
          <ListUnavailable what={t`We can't load this transaction right now.`} />
        )}
      </NarrowSheet>
    )
  return <AskSheet ask={ask} never={loaded.never} refused={refused} />
}

type Refusal = Extract<NonNullable<ReturnType<typeof useActionData<typeof action>>>, { notice: unknown }>

function AskSheet({ ask, never, refused }: { ask: Ask; never: string | null; refused: Refusal | undefined }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { state, outcome, strength } = ask
  const amount = amountWords(ask, formats) ?? t`an unknown amount`
  const note = ask.note && <EnglishWords>{ask.note}</EnglishWords>
  const day = <When date={ask.occurred_at} day />
  const isAnswered = ask.answers.length > 0
  return (
    <NarrowSheet title={isAnswered ? t`Your answer` : t`Did it arrive?`} className="">
      <p className="mt-3 text-xl wrap-anywhere">
        {note ? (
          <Trans>
            Did you receive <bdi>{amount}</bdi> for {note} on {day}?
          </Trans>
        ) : (
          <Trans>
            Did you receive <bdi>{amount}</bdi> on {day}?
          </Trans>
        )}
      </p>
      {outcome && (
        <p className="notice" role="status">
          <Outcome outcome={outcome} />
        </p>
      )}
      {state === 'ended' && (
        <p className="notice">
          <Trans>
            This link has ended: 180 days have passed. Your answer stays on the page of the payment.
          </Trans>
        </p>
      )}
      {state === 'corrected' && (
        <p className="notice">
          <Trans>
            This payment was corrected after this link was made. Your answer stays with what it answered. If
            we have your address, a new link comes by mail; otherwise ask us for one.
          </Trans>
        </p>
      )}
      <Refused form={refused} />
      <OwnAnswers ask={ask} />
      {state === 'open' && strength !== 'wallet' && !isAnswered && <AnswerForm ask={ask} refused={refused} />}
      {state === 'open' && strength !== 'wallet' && isAnswered && (
        <details className="mt-6" open={refused !== undefined}>
          <summary className="link w-fit py-2">
            <Trans>Answer a second time</Trans>
          </summary>
          <AnswerForm ask={ask} refused={refused} />
        </details>
      )}
      <p className="mt-6 text-sm text-muted">
        {!isAnswered && (
          <>
            <Trans>Beside your answer we write:</Trans>{' '}
          </>
        )}
        <StrengthWords said={ask} />.{' '}
        <PageLink to={`/transparency/${ask.id}#arrival`} className="link">
          <Trans>The page of the payment</Trans>
        </PageLink>
        {' · '}
        <PageLink to="/privacy#arrival" className="link">
          <Trans>What happens to what you write</Trans>
        </PageLink>
        {never && (
          <>
            {' · '}
            <PageLink to={`/arrived/never?token=${never}`} className="link">
              <Trans>Never ask me again</Trans>
            </PageLink>
          </>
        )}
      </p>
    </NarrowSheet>
  )
}

function Outcome({ outcome }: { outcome: NonNullable<Ask['outcome']> }) {
  switch (outcome) {
    case 'stored':
      return (
        <Trans>
          <strong>Thank you.</strong> Everyone can see your answer now.
        </Trans>
      )
    case 'used':
      return <Trans>Someone answered with this link just before. This is what they said.</Trans>
    case 'withdrawn':
      return <Trans>Done. Name and words are deleted. The answer stays.</Trans>
    case 'closed':
      return <Trans>Nothing was stored: this link takes no more answers.</Trans>
  }
}

/** What was said by this link, and the button that takes name and words back. */
function OwnAnswers({ ask: { answers: given, expires_at } }: { ask: Ask }) {
  const { i18n } = useLanguage()
  if (given.length === 0) return null
  return (
    <>
      <ol className="mt-4 grid gap-3 border-t-2 border-ink pt-3">
        {given.map(({ answer, recorded_at, name, words, waits, rejected }) => (
          <li key={recorded_at.toISOString()}>
            <strong>{i18n._(answerWords[answer])}</strong>{' '}
            <span className="text-sm text-muted">
              <When date={recorded_at} />
            </span>
            {(name || words) && (
              <p className="whitespace-pre-line wrap-anywhere">
                <WordsOfMember>{[words, name].filter(Boolean).join('\n')}</WordsOfMember>
              </p>
            )}
            {rejected !== null && (
              <p className="text-sm">
                <Trans>An operator did not publish these words, because:</Trans>{' '}
                {rejected ? <EnglishWords>{rejected}</EnglishWords> : <Withdrawn />}
              </p>
            )}
            {waits && (
              <p className="text-sm text-muted">
                <Trans>One of our operators reads the words before everyone can. The answer is public.</Trans>
              </p>
            )}
          </li>
        ))}
      </ol>
      {given.some(({ name, words }) => name ?? words) && (
        <form method="post" className="mt-4">
          <input type="hidden" name="intent" value="withdraw" />
          <button type="submit" className="button">
            <Trans>Delete name and words</Trans>
          </button>
        </form>
      )}
      <p className="mt-4 text-sm text-muted">
        <Trans>
          This link shows your answer until <When date={expires_at} day />.
        </Trans>
      </p>
    </>
  )
}

/** Three buttons, each of which sends the form. */
function AnswerForm({ ask, refused }: { ask: Ask; refused: Refusal | undefined }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const field = fieldsOf(refused)
  return (
    <form method="post" noValidate className="mt-5 grid gap-4">
      <input type="hidden" name="seen" value={ask.answers.length} />
      <Control
        {...field('words')}
        label={t`In your words`}
        hint={t`At most 500 characters. Everyone can read them after one of our operators did.`}
        optional
      >
        {(attributes) => <textarea {...attributes} rows={4} maxLength={500} dir="auto" className="field" />}
      </Control>
      {ask.asks_name && (
        <Field
          {...field('name')}
          label={t`Your name or your organisation`}
          optional
          autoComplete="off"
          dir="auto"
          maxLength={100}
        />
      )}
      {answers.map((answer) => (
        <button
          key={answer}
          type="submit"
          name="answer"
          value={answer}
          className={answer === 'yes' ? 'button button-ink' : 'button'}
        >
          {i18n._(answerWords[answer])}
        </button>
      ))}
      <p className="text-sm text-muted">
        <Trans>Everyone sees your answer immediately, and no one can remove it.</Trans>
      </p>
    </form>
  )
}

export const ErrorBoundary = FormErrorPage
