import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { requireOperatorWith } from '~/acts/guard.server'
import { type ActKind, kindOf } from '~/console/act-kinds'
import { type Health, type Mail, type Queues, readOverview } from '~/console/overview.server'
import { mailSettings } from '~/follow/mail/settings'
import { overdueAsOfGoalClock } from '~/goals/goal-clock.server'
import type { GoalQueues } from '~/goals/reviewed-goals.server'
import { readNames } from '~/ledger/names.server'
import { listWallets } from '~/ledger/wallets'
import type { OrderGroup } from '~/payments/groups'
import { valueNamedOrders } from '~/payments/order-values.server'
import { listOrders, listWrong, type Order, readOrderClock } from '~/payments/orders.server'
import { allowancePath, endsSoon, lacksGas } from '~/payments/payer-means'
import { type Payer, readPayer } from '~/payments/payer-means.server'
import { GasWords, MeansWords, PayerGapWords, PayerUnknown, useMeansName } from '~/payments/payer-words'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { readClock } from '~/platform/server/clock.server'
import { Part } from '~/platform/ui/section'
import type { Listening } from '~/statements/operator-queue.server'
import { readVoteQueues } from '~/votes/operator-queue.server'
import { HealthLines, healthLines, type Line, line, Subject } from './health-list'
import { QueueList } from './queue-list'
import { sourceLines } from './source-list'

export const meta: MetaFunction = privateMeta(msg`Operator`)

/**
 * The acts that an operator can start without a subject, in this order. Other acts start from their subject.
 */
const kinds: ActKind[] = [
  'order',
  'standing-order',
  'statement',
  'update',
  'purpose',
  'name',
  'value',
  'withdrawal',
  'split-vote',
  'introduction',
  'holder',
  'operator',
  'operator-end',
]

export async function loader({ context }: LoaderFunctionArgs) {
  const { operator, found } = await requireOperatorWith<{
    queues: Queues | null
    listening: Listening | null
    health: Health | null
    mail: Mail | null
    goals?: GoalQueues | null | undefined
  }>(context, '/operator', () => readOverview(context.data(), context.config.FUNDME_OPEN))
  const data = context.data()
  const { queues } = found
  const paid = [...(queues?.other.items ?? []), ...(queues?.purposes.items ?? [])]
  const addresses = [
    ...paid.map(({ toAddress }) => toAddress),
    ...(queues?.waiting.items.map((act) => String(act.arguments.to ?? act.subject ?? '')) ?? []),
  ]
  const { config } = context
  const valued = async (orders: Promise<Order[] | null>) => valueNamedOrders(data, config, await orders)
  const rowsOf = async (group: OrderGroup, most: number) =>
    (await listOrders(data, { group, account: null }, null, most))?.rows ?? null
  const [open, ended, wrong, payer, names] = await Promise.all([
    valued(rowsOf('coming', mostOrders)),
    rowsOf('ended', 10),
    valued(listWrong(data)),
    context.config.PAYER_KEY ? readPayer(data) : undefined,
    readNames(data, listWallets(context.config), addresses),
  ])
  const { LOG_KEY, LOG_ORIGIN, ANCHOR_KEY, WITNESSES, DEMO, VOTING_OPEN } = context.config
  return {
    handle: operator.handle,
    queues: found.queues,
    orders: open &&
      ended &&
      wrong && {
        open,
        wrong,
        expired: ended.filter(isNew(readOrderClock(context.config))),
        /** Whether the site pays due orders. */
        sitePays: payer !== undefined && !payer?.held,
      },
    /** The names of recipients by their address. */
    names,
    orderClock: readOrderClock(context.config),
    /** Undefined if people pay each order. */
    payer,
    goals: found.goals
      ? { ...found.goals, overdue: overdueAsOfGoalClock(found.goals.overdue, context.config) }
      : null,
    listening: found.listening,
    /** Undefined while voting is closed. */
    votes: VOTING_OPEN ? await readVoteQueues(context.data()) : undefined,
    health: found.health,
    mail: mailSettings(context.config) && found.mail,
    configured: {
      signs: Boolean(LOG_KEY),
      anchors: Boolean(ANCHOR_KEY),
      runs: !DEMO,
      origin: LOG_ORIGIN,
      witnesses: WITNESSES.map(({ vkey, name }) => ({ vkey, name })),
    },
    now: readClock(context.config),
  }
}

/** Maximum number of open orders of which the page shows the newest. */
const mostOrders = 100
/** For how long the page shows an order that was not paid in time, in milliseconds. */
const shownFor = 7 * 24 * 3_600_000

const isNew =
  (now: number) =>
  ({ movedAt, state }: Order) =>
    state === 'expired' && now - movedAt.getTime() < shownFor

/** Why the site does not pay, or will soon not pay: a line for each reason. */
function payerLines(payer: Payer | null | undefined, nameOf: ReturnType<typeof useMeansName>): Line[] {
  if (payer === undefined) return []
  const faults: [key: string, words: ReactNode][] = []
  if (!payer) faults.push(['unknown', <PayerUnknown key="" />])
  if (payer?.gap) faults.push(['gap', <PayerGapWords key="" gap={payer.gap} />])
  if (payer?.held) faults.push(['held', <Trans key="">All payments by the site are suspended.</Trans>])
  if (payer?.sight && lacksGas(payer.sight)) faults.push(['gas', <GasWords key="" sight={payer.sight} />])
  for (const means of payer?.means.filter(endsSoon) ?? [])
    faults.push([
      `${means.account} ${means.symbol}`,
      <>
        <bdi>{nameOf(means)}</bdi>: <MeansWords means={means} most={payer?.most ?? null} />
        <Gap />
        <a href={allowancePath(means)} className="link">
          <Trans>Set the allowance</Trans>
        </a>
      </>,
    ])
  return faults.map(([key, words]) =>
    line(
      `payer ${key}`,
      false,
      <>
        <Subject>
          <Trans comment="Before a sentence about them. A colon follows">Payments:</Trans>
        </Subject>
        <Gap />
        {words}
      </>,
    ),
  )
}

export default function Operator() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { handle, queues, orders, orderClock, names, payer, goals, votes, health, listening, mail, ...rest } =
    useLoaderData<typeof loader>()
  const { configured, now } = rest
  const nameOf = useMeansName()
  const sources = sourceLines(listening?.sources ?? [])
  const states = health ? healthLines(health, mail, configured, now) : []
  // The page lists faults first.
  const faults = [...payerLines(payer, nameOf), ...states, ...sources].filter(
    ({ isGood }) => isGood === false,
  )
  const others = (lines: typeof states) => lines.filter((line) => !faults.includes(line))
  return (
    <>
      <div className="column pt-section">
        <h1 className="text-title">
          <Trans>Operator</Trans>
        </h1>
        <p className="mt-3 text-muted">
          <Trans>
            You act as <strong className="text-ink">{handle}</strong>. Everyone can read what you do:{' '}
            <PageLink to="/transparency/acts" className="link">
              the public record
            </PageLink>
            .
          </Trans>
        </p>
      </div>
      {faults.length > 0 && (
        <Part title={t`Needs attention`}>
          <HealthLines lines={faults} />
        </Part>
      )}
      <div className="column">
        {queues && listening && (
          <QueueList
            queues={queues}
            orders={orders}
            orderClock={orderClock}
            names={names}
            listening={listening}
            goals={goals}
            votes={votes}
          />
        )}
        <p className="mt-6 flex flex-wrap gap-x-6">
          <a href="/operator/payments" className="link inline-block py-1">
            <Trans>Payments</Trans>
          </a>
          <a href="/operator/arrivals" className="link inline-block py-1">
            <Trans>What recipients say</Trans>
          </a>
          <a href="/operator/acts" className="link inline-block py-1">
            <Trans>All acts and drafts</Trans>
          </a>
        </p>
      </div>
      <Part title={t`Begin`}>
        <ul className="mt-4 flex flex-wrap gap-3">
          {kinds
            .filter((kind) => kind !== 'split-vote' || votes !== undefined)
            .map((kind) => (
              <li key={kind}>
                <a href={`/operator/new/${kind}`} className="button">
                  {i18n._(kindOf(kind).title)}
                </a>
              </li>
            ))}
        </ul>
      </Part>
      {others(sources).length > 0 && (
        <Part title={t`Sources of statements`}>
          <HealthLines lines={others(sources)} />
        </Part>
      )}
      {others(states).length > 0 && (
        <Part title={t({ message: 'Health', context: 'the state of the parts of the site' })}>
          <HealthLines lines={others(states)} />
        </Part>
      )}
    </>
  )
}
