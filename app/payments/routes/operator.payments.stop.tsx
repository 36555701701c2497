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
import { faultOf } from '~/acts/act-faults'
import { explained } from '~/acts/acts.server'
import { requireOperator } from '~/acts/guard.server'
import { FormErrorPage } from '~/members/auth/send-again'
import { paymentActs } from '~/payments/acts'
import { OrderList } from '~/payments/order-list'
import { amountText } from '~/payments/order-texts'
import { valueNamedOrders } from '~/payments/order-values.server'
import { RecipientWords, stateWords } from '~/payments/order-words'
import { listOrders, type Order, readOrderClock, readOrders } from '~/payments/orders.server'
import { Tick } from '~/platform/forms/control'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Refused } from '~/platform/forms/refused'
import { publishChanges } from '~/platform/live/publish.server'
import { useLanguage } from '~/platform/locales/react'
import { hiddenMeta } from '~/platform/rendering/seo'
import { integerColumn } from '~/platform/server/columns.server'
import { found, notFound } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

export const meta: MetaFunction = hiddenMeta(msg`Stop payments`)

/** Maximum number of orders that one press stops. */
const most = 100

const mayStop = ({ state }: Order) => state === 'announced' || state === 'taken'

/** `?order=`: the orders that the page is about; without one, those that can be stopped. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, search, searchParams } = new URL(request.url)
  await requireOperator(context, pathname + search)
  const data = context.data()
  const numbers = searchParams.getAll('order').filter((number) => /^[1-9]\d{0,14}$/.test(number))
  const stored =
    numbers.length > 0
      ? found(await readOrders(data, numbers.slice(0, most).map(Number)))
      : found(await listOrders(data, { group: 'coming', account: null }, null, most)).rows.reverse()
  if (numbers.length > 0 && stored.length === 0) throw notFound()
  const orders = await valueNamedOrders(data, context.config, stored)
  return {
    open: orders.filter(mayStop),
    others: numbers.length > 0 ? orders.filter((order) => !mayStop(order)) : [],
    now: readOrderClock(context.config),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  const form = await readForm(request, 'order')
  await requireOperator(context, pathname + search, { form })
  const numbers = String(form.get('order') ?? '').match(/\b[1-9]\d{0,14}\b/g) ?? []
  if (numbers.length === 0 || numbers.length > most)
    return refuse(context, null, { message: context.language.i18n._(msg`Tick the payments to stop.`) })
  const given = { numbers: numbers.map(Number) }
  const stopped = await context
    .data()
    .command('stop_orders', z.object({ stopped: z.array(integerColumn) }), given)
  if (!('value' in stopped)) {
    const { words } = explained(faultOf(paymentActs.stop, stopped), form)
    return refuse(context, null, { message: words(context.language) })
  }
  context.execution.waitUntil(publishChanges(context))
  throw redirect(`${pathname}?${new URLSearchParams(numbers.map((number) => ['order', number]))}`, 303)
}

export default function StopPayments() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { open, others, now } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const [only] = open.length + others.length === 1 ? open : []
  const isDone = others.length > 0 && others.every(({ state }) => state === 'stopped')
  const nothing = isDone ? i18n._(stateWords.stopped) : t`Nothing to stop`
  const title = only ? <StopWords order={only} /> : open.length > 0 ? t`Stop payments` : nothing
  return (
    <div className="column pt-section">
      <PageHead back={{ to: '/operator/payments', label: t`Payments` }} title={title} />
      <Refused form={refused} />
      {others.length > 0 && <OrderList orders={others} now={now} actions={reasonLink} />}
      {open.length > 0 && (
        <form method="post" className="mt-6 grid max-w-2xl justify-items-start gap-4">
          {only ? (
            <>
              <input type="hidden" name="order" value={only.number} />
              <OrderWords order={only} />
            </>
          ) : (
            open.map((order) => (
              <Tick key={order.number} name="order" value={order.number}>
                <span>
                  <PaymentWords order={order} />
                  <OrderWords order={order} />
                </span>
              </Tick>
            ))
          )}
          <p className="text-muted">
            <Trans>
              The money stays in the wallet. You can't undo this: a new order is a new decision of two
              operators.
            </Trans>
          </p>
          <button type="submit" className="button button-bad">
            {only ? <StopWords order={only} /> : t`Stop the ticked payments now`}
          </button>
        </form>
      )}
      {only && (
        <a href="/operator/payments/stop" className="link mt-4 inline-block py-1">
          <Trans>Stop several together</Trans>
        </a>
      )}
    </div>
  )
}

/** '$1,200', or the tokens if they are worth less than a cent. */
function useAmount({ tokens }: Order): string {
  const { formats } = useLanguage()
  return tokens ? amountText(tokens, formats) : ''
}

function StopWords({ order }: { order: Order }) {
  const amount = useAmount(order)
  const recipient = <RecipientWords order={order} />
  return (
    <Trans comment="The title and the button of a page that stops one payment">
      Stop payment of {amount} to {recipient} now
    </Trans>
  )
}

function PaymentWords({ order }: { order: Order }) {
  const amount = useAmount(order)
  const recipient = <RecipientWords order={order} />
  return (
    <strong className="block">
      <Trans comment="An amount, and who receives it">
        {amount} to {recipient}
      </Trans>
    </strong>
  )
}

function OrderWords({ order: { number, purpose, dueAt } }: { order: Order }) {
  return (
    <span className="block wrap-anywhere">
      {purpose && (
        <>
          <EnglishWords>{purpose}</EnglishWords>
          {' · '}
        </>
      )}
      <Trans comment="The number of an order, and the end of its notice">
        order {number}, due <When date={dueAt} />
      </Trans>
    </span>
  )
}

/** The way to a second entry with the reason of a stop. */
function reasonLink({ number, state, stopReasonHash }: Order) {
  if (state !== 'stopped' || stopReasonHash !== null) return null
  return (
    <a href={`/operator/new/stop-reason?subject=${number}`} className="button mt-2">
      <Trans>Say why</Trans>
    </a>
  )
}

export const ErrorBoundary = FormErrorPage
