import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { readExchange } from '~/arrival/answers.server'
import { readPayable, type TypedAnswer, textOf } from '~/arrival/payable.server'
import { answers, type Given } from '~/arrival/strengths'
import { answerWords, ExchangeWords } from '~/arrival/words'
import { ListUnavailable } from '~/ledger/unavailable'
import { FormErrorPage } from '~/members/auth/send-again'
import { encodeHex } from '~/platform/bytes'
import { SigningScript, TextToSign, WalletButtons } from '~/platform/enhance/text-signing-parts'
import { Control, FieldFault } from '~/platform/forms/control'
import { readForm } from '~/platform/forms/form.server'
import { fieldsOf } from '~/platform/forms/refusal'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { tidyText } from '~/platform/forms/text'
import { publishChanges } from '~/platform/live/publish.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { hiddenMeta } from '~/platform/rendering/seo'
import { notFound, outagePage } from '~/platform/server/outage.server'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'
import { Sheet } from '~/platform/ui/section'

// The wallet that was paid signs its answer, by hand or with a wallet of this browser.

export const meta = hiddenMeta(msg`Answer with the wallet that was paid`)

export async function loader({ params, context }: LoaderFunctionArgs) {
  const row = await readPayable(context.publicData(), params.id)
  if (row === 'none') throw notFound()
  const exchange = row && (await readExchange(context.publicData(), row.toAddress))
  return exchange === null
    ? data({ row: null }, 503)
    : data({ row: row && { id: row.id, wallet: row.toAddress, exchange } })
}

const isGiven = (text: string): text is Given => (answers as readonly string[]).includes(text)

/** The first step writes the text to sign; the second stores it with its signature. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const of = (name: string) => tidyText(form.get(name))
  const { i18n } = context.language
  const answer = of('answer')
  const typed: TypedAnswer | null = isGiven(answer)
    ? {
        ...{ answer, words: of('words') || null },
        salt: /^[0-9a-f]{64}$/.exec(of('salt'))?.[0] ?? encodeHex(crypto.getRandomValues(new Uint8Array(32))),
        time:
          /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(of('time'))?.[0] ??
          `${new Date().toISOString().slice(0, 19)}Z`,
      }
    : null
  const no = (message: string, status: number, field: string | undefined, text: string | null) =>
    refuse(
      context,
      { payload: { words: of('words'), answer, signature: of('signature') } },
      { message, status, field },
      { typed, text },
    )
  if (await context.limit('answer')) return no(i18n._(tooManyRequests), 429, undefined, null)
  const row = await readPayable(context.publicData(), params.id)
  if (row === 'none') throw notFound()
  if (!row) throw outagePage(form)
  // The page says why.
  if (await readExchange(context.publicData(), row.toAddress))
    throw redirect(context.language.href(`/transparency/${row.id}/arrived`), 303)
  if (!typed) return no(i18n._(msg`Choose one of the three answers.`), 400, 'answer', null)
  if (typed.words && typed.words.length > 500)
    return no(i18n._(msg`At most 500 characters.`), 400, 'words', null)
  const text = await textOf(row, typed)
  if (of('intent') !== 'sign') return { typed, text }
  const { handIn } = await import('~/arrival/hand-in.server')
  const stored = await handIn(context, row, typed, of('signature'))
  if (!stored) throw outagePage(form)
  if (!('token' in stored)) return no(i18n._(stored.sentence), stored.status, 'signature', text)
  context.execution.waitUntil(publishChanges(context))
  throw redirect(context.language.href(`/arrived?token=${stored.token}`), 303)
}

export default function SignedAnswerPage() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { row } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const refused = result && 'notice' in result ? result : undefined
  const field = fieldsOf(refused)
  const typed = result?.typed
  if (!row)
    return (
      <NarrowSheet title={t`Answer with the wallet that was paid`}>
        <ListUnavailable what={t`We can't load this transaction right now.`} />
      </NarrowSheet>
    )
  if (row.exchange)
    return (
      <NarrowSheet title={t`Answer with the wallet that was paid`}>
        <p className="mt-4">
          <ExchangeWords said={row.exchange} />
        </p>
        <p className="mt-4">
          <PageLink to={`/transparency/${row.id}#arrival`} className="link">
            <Trans>The page of the payment</Trans>
          </PageLink>
        </p>
      </NarrowSheet>
    )
  const chosen = typed?.answer ?? refused?.values?.answer
  return (
    <div className="column max-w-[48rem] pt-section">
      <p>
        <PageLink to={`/transparency/${row.id}#arrival`} className="link inline-block py-1">
          <Trans>The page of the payment</Trans>
        </PageLink>
      </p>
      <h1 className="mt-3 text-title">
        <Trans>Answer with the wallet that was paid</Trans>
      </h1>
      <p className="mt-5 max-w-[65ch]">
        <Trans>
          Only <bdi className="hash">{row.wallet}</bdi> can answer here: it signs a text, which is free and
          moves no money. Everyone can check the signature.
        </Trans>
      </p>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          A contract wallet, such as a Safe, and an account at an exchange can't sign. Ask us then for a link
          by mail or on paper: the page of the payment says that it is a weaker proof.
        </Trans>
      </p>
      <Sheet heading="choose-title" title={t`1. Did it arrive?`} className="mt-6">
        <form method="post" noValidate className="mt-3 grid gap-4">
          <fieldset>
            <legend className="sr-only">{t`Did it arrive?`}</legend>
            {answers.map((value) => (
              <label key={value} className="flex min-h-11 items-center gap-2.5">
                <input type="radio" name="answer" value={value} defaultChecked={chosen === value} />
                {i18n._(answerWords[value])}
              </label>
            ))}
            <FieldFault id="answer-error">{field('answer').error}</FieldFault>
          </fieldset>
          <Control
            {...field('words', typed?.words ?? '')}
            label={t`In your words`}
            hint={t`At most 500 characters. Everyone can read them after one of our operators did.`}
            optional
          >
            {(attributes) => (
              <textarea {...attributes} rows={4} maxLength={500} dir="auto" className="field" />
            )}
          </Control>
          <p>
            <button type="submit" className={result?.text ? 'button' : 'button button-ink'}>
              <Trans>Show the text</Trans>
            </button>
          </p>
        </form>
      </Sheet>
      {result?.text && typed && (
        <Sheet heading="sign-title" title={t`2. Sign the text`} className="mt-6">
          <form method="post" noValidate data-signed="" className="mt-3 grid gap-4">
            <input type="hidden" name="intent" value="sign" />
            {(['answer', 'words', 'salt', 'time'] as const).map((name) => (
              <input key={name} type="hidden" name={name} value={typed[name] ?? ''} />
            ))}
            <WalletButtons />
            <TextToSign text={result.text} refused={refused} />
            <p>
              <button type="submit" className="button button-ink">
                <Trans>Send the answer</Trans>
              </button>
            </p>
          </form>
        </Sheet>
      )}
      <SigningScript />
    </div>
  )
}

export const ErrorBoundary = FormErrorPage
