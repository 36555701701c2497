import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Division, type FlowPart, sample } from '~/ledger/flow'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { Cents } from '~/platform/money'
import { Section } from '~/platform/ui/section'
import { type BlockPart, Blocks } from './blocks'

/**
 * 'Of every $50': a picture of all the money. Each part links to its rows, and a disclosure has the amounts.
 */
export function EveryFifty({ division, causes }: { division: Division; causes: FlowPart[] }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { given, dreams, costs, otherPayments, treasury } = division
  const sum = (...parts: { share: Cents }[]) =>
    formats.exactDollars(parts.reduce((all, { share }) => all + share, 0))
  return (
    <Section
      id="every-fifty"
      heading="every-fifty-title"
      title={t`Of every $50`}
      className="fifty pt-section"
    >
      <p className="text-muted">
        <Trans>Each block is one dollar.</Trans>
      </p>
      <Blocks
        label={t`Of every $50: ${{ given: sum(given) }} given, ${{ dreams: sum(dreams) }} dreams, ${{ costs: sum(costs, otherPayments) }} costs and other payments, ${{ treasury: sum(treasury) }} in the treasury`}
        parts={[
          ...givenBlocks(given),
          { fill: 'dreams', share: dreams.share },
          { fill: 'costs', share: costs.share + otherPayments.share },
        ]}
      />
      <dl className="fifty-parts figures">
        <Part amount={sum(given)} mark={<span className="swatch swatch-given" />}>
          <a href="#amounts" className="link">
            <Trans>given</Trans>
          </a>
          {given.parts && <GivenParts parts={given.parts} />}
        </Part>
        <Part amount={sum(dreams)} hue="dreams">
          <PageLink to={dreams.href} className="link">
            <Trans>dreams</Trans>
          </PageLink>
        </Part>
        <Part amount={sum(costs, otherPayments)} hue="costs">
          {otherPayments.amount > 0 ? (
            <Trans comment="In the middle of a legend: two links">
              <PageLink to={costs.href} className="link">
                costs
              </PageLink>{' '}
              and{' '}
              <PageLink to={otherPayments.href} className="link">
                other payments
              </PageLink>
            </Trans>
          ) : (
            <PageLink to={costs.href} className="link">
              <Trans>costs</Trans>
            </PageLink>
          )}
        </Part>
        <Part amount={sum(treasury)} mark={<span className="swatch hue-outline" />}>
          <PageLink to={treasury.href} className="link">
            <Trans>in the treasury</Trans>
          </PageLink>
          <span className="fifty-note">
            <Trans>not given yet</Trans>
          </span>
        </Part>
      </dl>
      <details className="fifty-table">
        <summary>
          <span className="link">
            <Trans>Show the amounts as a table</Trans>
          </span>
        </summary>
        <Amounts division={division} causes={causes} />
      </details>
    </Section>
  )
}

/** How much of the money given is spent, left in pools and returned by pools. */
function GivenParts({ parts }: { parts: NonNullable<Division['given']['parts']> }) {
  const { formats } = useLanguage()
  const spent = formats.exactDollars(parts.spent.share)
  const left = formats.exactDollars(parts.waiting.share)
  const returned = formats.exactDollars(parts.returned.share)
  return (
    <>
      <span className="fifty-note">
        <span className="swatch swatch-given" />
        <Trans>{spent} spent</Trans>
      </span>
      <span className="fifty-note">
        <span className="swatch swatch-waiting" />
        <Trans>{left} left in pools</Trans>
      </span>
      {parts.returned.amount > 0 && (
        <span className="fifty-note">
          <Trans>{returned} returned by pools</Trans>
        </span>
      )}
    </>
  )
}

/** Returns spent blocks, then hatched blocks. If the parts are unknown, returns only spent blocks. */
function givenBlocks({ share, parts }: Division['given']): BlockPart[] {
  if (!parts) return [{ fill: 'spent', share }]
  return [
    { fill: 'spent', share: parts.spent.share },
    { fill: 'waiting', share: parts.waiting.share + parts.returned.share },
  ]
}

function Part({
  amount,
  hue,
  mark,
  children,
}: {
  amount: string
  hue?: string
  mark?: ReactNode
  children: ReactNode
}) {
  return (
    <div>
      <dt data-hue={hue}>
        {mark ?? <span className="swatch hue-fill" />}
        {children}
      </dt>
      <dd>{amount}</dd>
    </div>
  )
}

function Amounts({
  division: { total, sources, given, dreams, costs, otherPayments, treasury },
  causes,
}: {
  division: Division
  causes: FlowPart[]
}) {
  const { formats } = useLanguage()
  const parts = given.parts
    ? [
        { name: msg`of it, spent`, ...given.parts.spent },
        { name: msg`of it, left in pools`, ...given.parts.waiting, href: '/voting' },
        {
          name: msg`of it, returned by pools`,
          ...given.parts.returned,
          href: '/transparency?type=move#history',
        },
      ]
    : []
  const uses = [
    { name: msg`Given`, amount: given.amount, share: given.share },
    ...causes.map(({ name, amount, href }) => ({ name, amount, href, within: true })),
    ...parts.filter(({ amount }) => amount > 0).map((part) => ({ ...part, within: true })),
    dreams,
    costs,
    otherPayments,
    treasury,
  ]
  return (
    <table id="amounts" className="flow-table figures">
      <thead>
        <tr>
          <th scope="col">
            <Trans>Money in</Trans>
          </th>
          <th scope="col">
            <Trans>Amount</Trans>
          </th>
          <th scope="col">
            <Trans>Of $50</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {sources.map((part) => (
          <AmountRow key={part.name.id} {...part} />
        ))}
        <tr>
          <th scope="row">
            <Trans>Where it is</Trans>
          </th>
          <td className="font-semibold">{formats.exactDollars(total)}</td>
          <td className="font-semibold">{formats.exactDollars(sample)}</td>
        </tr>
        {uses.map((part) => (
          <AmountRow key={part.name.id} {...part} />
        ))}
      </tbody>
    </table>
  )
}

/** `within`: the row is a part of the amount above, not a separate part of the $50. */
function AmountRow({
  name,
  amount,
  share,
  href,
  within,
}: {
  name: MessageDescriptor
  amount: Cents
  share?: Cents
  href?: string
  within?: boolean
}) {
  const { i18n, formats } = useLanguage()
  return (
    <tr>
      <td className={within ? 'within' : undefined}>
        {href ? (
          <PageLink to={href} className="link">
            {i18n._(name)}
          </PageLink>
        ) : (
          i18n._(name)
        )}
      </td>
      <td>{formats.exactDollars(amount)}</td>
      <td data-share={within ? undefined : share}>{share !== undefined && formats.exactDollars(share)}</td>
    </tr>
  )
}
