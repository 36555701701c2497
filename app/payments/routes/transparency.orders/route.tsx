import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { accounts } from '~/ledger/accounts'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { orderSearch, readOrderFilter } from '~/payments/filter'
import { OrderList } from '~/payments/order-list'
import { valueNamedOrders } from '~/payments/order-values.server'
import { stateMeanings, stateWords } from '~/payments/order-words'
import { listOrders, readOrderClock } from '~/payments/orders.server'
import { listStanding, valueStanding } from '~/payments/standing.server'
import { StandingList } from '~/payments/standing-list'
import { type ShownState, shownState } from '~/payments/states'
import { LiveStatus } from '~/platform/live/live-status'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'

export const handle: PageHandle = { cached: ['state', 'account', 'before'] }

export const meta = pageMeta({
  title: msg`Orders of payments`,
  description: msg`Every payment that two people approved, or that a rule of two people ordered: when it comes, to whom, how much, what for, and what became of it.`,
  path: '/transparency/orders',
})

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { filter, before, valid } = readOrderFilter(new URL(request.url).searchParams)
  const data = context.publicData()
  const [orders, standing] = await Promise.all([
    listOrders(data, filter, before),
    before === null ? listStanding(data) : [],
  ])
  return {
    orders: orders && { ...orders, rows: await valueNamedOrders(data, context.config, orders.rows) },
    standing: standing && (await valueStanding(data, context.config, standing)),
    filter,
    paged: before !== null,
    unreadable: !valid,
    now: readOrderClock(context.config),
  }
}

const groups = [
  { group: 'coming', label: msg`Coming` },
  { group: 'paid', label: msg({ message: 'Paid', context: 'order' }) },
  { group: 'ended', label: msg`Ended without a payment` },
] as const

export default function Orders() {
  const { t } = useLingui()
  const { orders, standing, filter, paged, unreadable, now } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/orders" />
      <PageHeader
        title={t`Orders of payments`}
        tagline={t`Two people approve each order, or the rule that makes it. Everyone sees it before it is paid, and each operator can stop it until then.`}
      />
      <Section id="orders" heading="orders-title" title={t`Orders`} className="">
        <FilterForm />
        {unreadable && <NoSuchPage />}
        <div id="order-list" data-live={paged ? undefined : 'ledger acts'}>
          {!orders ? (
            <ListUnavailable />
          ) : orders.rows.length > 0 ? (
            <>
              <OrderList orders={orders.rows} now={now} />
              <p className="mt-3 text-sm text-muted">
                <Trans>We gave these names. The blockchain shows only addresses.</Trans>
              </p>
              <Legend states={orders.rows.map((order) => shownState(order, now))} />
            </>
          ) : (
            <div className="mt-4">
              {paged ? (
                <NothingOlder newest={`/transparency/orders${orderSearch(filter)}`} />
              ) : (
                <p>
                  <Trans>No orders.</Trans>
                </p>
              )}
            </div>
          )}
          {orders && (
            <Pager
              label={t`Pages of the orders`}
              newer={null}
              older={
                orders.older === null ? null : `/transparency/orders${orderSearch(filter, orders.older)}`
              }
            />
          )}
        </div>
        <Files />
      </Section>
      {standing && standing.length > 0 && (
        <Section id="standing" heading="standing-title" title={t`Standing orders`} live="ledger acts">
          <p className="mt-2 max-w-[65ch]">
            <Trans>
              Two people approve a rule and its limits. It then orders payments by itself, and each of them is
              announced here before it is paid. One operator can suspend it.
            </Trans>
          </p>
          <StandingList standing={standing} now={now} />
        </Section>
      )}
      {!paged && <LiveStatus />}
    </>
  )
}

/** What the states on this page mean. */
function Legend({ states }: { states: ShownState[] }) {
  const { i18n } = useLanguage()
  return (
    <dl className="mt-3 grid gap-x-8 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {[...new Set(states)].map((state) => (
        <div key={state} className="flex flex-wrap gap-x-2">
          <dt className={`font-semibold ${stateMeanings[state].tone}`}>{i18n._(stateWords[state])}</dt>
          <dd>{i18n._(stateMeanings[state].words)}</dd>
        </div>
      ))}
    </dl>
  )
}

function FilterForm() {
  const { t } = useLingui()
  const { i18n, href } = useLanguage()
  const { filter } = useLoaderData<typeof loader>()
  return (
    <form
      action={href('/transparency/orders')}
      method="get"
      className="panel mt-6 flex flex-wrap items-end gap-4"
    >
      <div className="grid gap-1.5">
        <label htmlFor="state" className="font-semibold">
          {t({ message: 'State', context: 'order' })}
        </label>
        <select id="state" name="state" className="field" defaultValue={filter.group ?? ''}>
          <option value="">{t({ message: 'All', context: 'orders' })}</option>
          {groups.map(({ group, label }) => (
            <option key={group} value={group}>
              {i18n._(label)}
            </option>
          ))}
        </select>
      </div>
      <div className="grid gap-1.5">
        <label htmlFor="account" className="font-semibold">
          <Trans>Paying wallet</Trans>
        </label>
        <select id="account" name="account" className="field" defaultValue={filter.account ?? ''}>
          <option value="">{t({ message: 'All', context: 'orders' })}</option>
          {accounts.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {i18n._(key(name))}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button button-ink">
        <Trans>Show</Trans>
      </button>
      {orderSearch(filter) && (
        <PageLink to="/transparency/orders" className="link inline-flex min-h-11 items-center">
          <Trans>Clear</Trans>
        </PageLink>
      )}
    </form>
  )
}

function Files() {
  const { t } = useLingui()
  const { filter } = useLoaderData<typeof loader>()
  const links = [
    { file: 'csv', label: 'CSV' },
    { file: 'json', label: 'JSON' },
    { file: 'atom', label: t`Atom feed` },
  ]
  return (
    <p className="no-print mt-6 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-muted">
      <span>
        <Trans>Download this list:</Trans>
      </span>
      {links.map(({ file, label }) => (
        <a
          key={file}
          href={`/transparency/orders.${file}${orderSearch(filter)}`}
          className="link inline-block py-1"
        >
          {label}
        </a>
      ))}
    </p>
  )
}
