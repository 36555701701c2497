import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { faultOf } from '~/acts/act-faults'
import { explained } from '~/acts/acts.server'
import { requireOperator } from '~/acts/guard.server'
import { arrivalActs } from '~/arrival/acts'
import { readArrivals } from '~/arrival/answers.server'
import { waitingAnswers } from '~/arrival/waiting.server'
import { ArrivalMark, answerWords } from '~/arrival/words'
import { amountWords } from '~/ledger/amount'
import { tokenColumns, withTokens } from '~/ledger/token-columns.server'
import { FormErrorPage } from '~/members/auth/send-again'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { publishChanges } from '~/platform/live/publish.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { integerColumn, moneyColumn, timestampColumn } from '~/platform/server/columns.server'
import { found } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { EnglishWords, WordsOfMember } from '~/platform/ui/words'
import { QrCodePicture } from '~/wallet/qr-code'
import { qrCodeOf } from '~/wallet/qr-code.server'

export const meta: MetaFunction = privateMeta(msg`What recipients say`)

const path = '/operator/arrivals'

const paymentRow = z.pipe(
  z.object({
    id: integerColumn,
    chainId: integerColumn,
    txHash: z.string(),
    ordinal: integerColumn,
    occurredAt: timestampColumn,
    amountUsd: z.nullable(moneyColumn),
    note: z.nullable(z.string()),
    counterName: z.nullable(z.string()),
    ...tokenColumns,
  }),
  z.transform(withTokens),
)

/** The words that wait, and the newest payments to recipients. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  await requireOperator(context, pathname + search)
  const reader = context.data()
  const [waiting, payments] = await Promise.all([
    waitingAnswers(reader),
    reader.rows('published_transactions', paymentRow, (query) =>
      query
        .eq('status', 'verified')
        .eq('direction', 'out')
        .is('counter_account', null)
        .in('type', ['spending', 'donation', 'dream'])
        .order('occurred_at', { ascending: false })
        .limit(50),
    ),
  ])
  const rows = found(payments)
  const states = found(
    await readArrivals(
      reader,
      rows.map(({ id }) => id),
    ),
  )
  return { waiting: found(waiting), payments: rows.map((row) => ({ ...row, state: states[row.id] })) }
}

/** Makes a link, and responds with the page to print: the link is in no address, and is shown only now. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  await requireOperator(context, path, { form })
  const made = z.object({ token: z.string(), by: z.string() })
  const sent = await context.data().command('print_ask', made, { subject: String(form.get('payment') ?? '') })
  if (!('value' in sent)) {
    const { words } = explained(faultOf(arrivalActs['arrival-print'], sent), form)
    return refuse(context, null, { message: words(context.language) }, { link: null })
  }
  context.execution.waitUntil(publishChanges(context))
  const link = `${context.config.SITE_URL}/arrived?token=${sent.value.token}`
  return data(
    { link, by: sent.value.by, code: qrCodeOf(link) },
    { headers: { 'Referrer-Policy': 'no-referrer' } },
  )
}

export default function Arrivals() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { waiting, payments } = useLoaderData<typeof loader>()
  const made = useActionData<typeof action>()
  if (made?.link)
    return (
      <div className="column max-w-[40rem] pt-section">
        <PageHead back={{ to: path, label: t`What recipients say` }} title={t`Did it arrive?`} />
        <p className="mt-4 print:hidden">
          <Trans>Print this page and give it to the recipient. We can't show the link again.</Trans>
        </p>
        <p className="mt-6">
          <QrCodePicture code={made.code} label={t`QR code of the link`} />
        </p>
        <p className="mt-4 hash wrap-anywhere" dir="ltr">
          {made.link}
        </p>
        <p className="mt-4">
          <Trans>Printed by {made.by}. The answer shows this name, and that it is the weakest proof.</Trans>
        </p>
      </div>
    )
  return (
    <div className="column pt-section">
      <PageHead back={{ to: '/operator', label: t`Operator` }} title={t`What recipients say`}>
        <p className="mt-3 text-muted">
          <Trans>
            The strongest proof is the wallet's own signature. Next: enter the recipient's email address
            before a payment. Last: print a link. Never answer for a recipient: everyone sees who made the
            link.
          </Trans>
        </p>
      </PageHead>
      <Refused form={made && 'notice' in made ? made : undefined} />
      <p className="mt-4">
        <a href="/operator/new/contact" className="button">
          {i18n._(arrivalActs.contact.title)}
        </a>
      </p>
      {waiting.length > 0 && (
        <Part title={t`Words that wait`} className="pt-12">
          <ul className="mt-4 border-t-2 border-ink">
            {waiting.map(({ id, answer, words, name, recorded_at }) => (
              <li key={id} className="border-b border-hairline py-3">
                <a href={`/operator/new/answer-words?subject=${id}`} className="link">
                  {i18n._(answerWords[answer])}
                </a>{' '}
                <When date={recorded_at} day />{' '}
                <a href={`/operator/new/answer-rejection?subject=${id}`} className="link">
                  <Trans comment="A link: an operator does not publish the words of a recipient">
                    Don't publish
                  </Trans>
                  <span className="sr-only"> #{id}</span>
                </a>
                <p className="wrap-anywhere">
                  <WordsOfMember>{[words, name].filter(Boolean).join(' · ')}</WordsOfMember>
                </p>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t`Newest payments to recipients`} className="pt-12">
        <ul className="mt-4 border-t-2 border-ink">
          {payments.map((row) => (
            <li
              key={row.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline py-3"
            >
              <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
                <PageLink to={`/transparency/${row.id}`} className="link">
                  <bdi>{amountWords(row, formats) ?? `#${row.id}`}</bdi>
                </PageLink>
                , <When date={row.occurredAt} day />
                {row.note && (
                  <>
                    , <EnglishWords>{row.note}</EnglishWords>
                  </>
                )}{' '}
                <ArrivalMark id={row.id} state={row.state} />
              </span>
              <form method="post">
                <input type="hidden" name="payment" value={`${row.chainId}/${row.txHash}/${row.ordinal}`} />
                <button type="submit" className="button">
                  <Trans>Print a link</Trans>
                  <span className="sr-only"> {row.note ?? row.id}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        {payments.length === 0 && (
          <p className="mt-4 text-muted">
            <Trans>No payment went to a recipient yet.</Trans>
          </p>
        )}
      </Part>
    </div>
  )
}

export const ErrorBoundary = FormErrorPage
