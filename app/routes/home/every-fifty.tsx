import type { ReactNode } from 'react'
import type { Division, FlowPart } from '~/ledger/flow'
import { type Cents, formatExactDollars } from '~/money'
import { Section } from '~/ui/section'
import { type BlockPart, Blocks } from './blocks'

/** 'Of every $50': one picture of all the money, each part with a link to its rows, and the amounts in a disclosure. */
export function EveryFifty({ division, causes }: { division: Division; causes: FlowPart[] }) {
  const { given, dreams, costs, otherPayments, treasury } = division
  const sum = (...parts: { share: Cents }[]) =>
    formatExactDollars(parts.reduce((all, { share }) => all + share, 0))
  return (
    <Section id="every-fifty" heading="every-fifty-title" title="Of every $50" className="fifty pt-section">
      <p className="text-muted">Each block is one dollar.</p>
      <Blocks
        label={`Of every $50: ${sum(given)} given, ${sum(dreams)} dreams, ${sum(costs, otherPayments)} costs and other payments, ${sum(treasury)} in the treasury`}
        parts={[
          ...givenBlocks(given),
          { fill: 'dreams', share: dreams.share },
          { fill: 'costs', share: costs.share + otherPayments.share },
        ]}
      />
      <dl className="fifty-parts figures">
        <Part amount={sum(given)} mark={<span className="swatch swatch-given" />}>
          <a href="#amounts" className="link">
            given
          </a>
          {given.parts && (
            <>
              <span className="fifty-note">
                <span className="swatch swatch-given" />
                {sum(given.parts.spent)} spent
              </span>
              <span className="fifty-note">
                <span className="swatch swatch-waiting" />
                {sum(given.parts.waiting)} left in pools
              </span>
              {given.parts.returned.amount > 0 && (
                <span className="fifty-note">{sum(given.parts.returned)} returned by pools</span>
              )}
            </>
          )}
        </Part>
        <Part amount={sum(dreams)} hue="dreams">
          <a href={dreams.href} className="link">
            dreams
          </a>
        </Part>
        <Part amount={sum(costs, otherPayments)} hue="costs">
          <a href={costs.href} className="link">
            costs
          </a>
          {otherPayments.amount > 0 && (
            <>
              {' '}
              and{' '}
              <a href={otherPayments.href} className="link">
                other payments
              </a>
            </>
          )}
        </Part>
        <Part amount={sum(treasury)} mark={<span className="swatch hue-outline" />}>
          <a href={treasury.href} className="link">
            in the treasury
          </a>
          <span className="fifty-note">not given yet</span>
        </Part>
      </dl>
      <details className="fifty-table">
        <summary>
          <span className="link">Show the amounts as a table</span>
        </summary>
        <Amounts division={division} causes={causes} />
      </details>
    </Section>
  )
}

/** Spent blocks, then hatched ones; only one kind without these parts. */
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
  const parts = given.parts
    ? [
        { name: 'of it, spent', ...given.parts.spent },
        { name: 'of it, left in pools', ...given.parts.waiting, href: '/voting' },
        {
          name: 'of it, returned by pools',
          ...given.parts.returned,
          href: '/transparency?type=move#history',
        },
      ]
    : []
  const uses = [
    { name: 'Given', amount: given.amount, share: given.share },
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
          <th scope="col">Money in</th>
          <th scope="col">Amount</th>
          <th scope="col">Of $50</th>
        </tr>
      </thead>
      <tbody>
        {sources.map((part) => (
          <AmountRow key={part.name} {...part} />
        ))}
        <tr>
          <th scope="row">Where it is</th>
          <td className="font-semibold">{formatExactDollars(total)}</td>
          <td className="font-semibold">$50.00</td>
        </tr>
        {uses.map((part) => (
          <AmountRow key={part.name} {...part} />
        ))}
      </tbody>
    </table>
  )
}

/** `within`: a part of the amount above, so not a part of the $50 of its own. */
function AmountRow({
  name,
  amount,
  share,
  href,
  within,
}: {
  name: string
  amount: Cents
  share?: Cents
  href?: string
  within?: boolean
}) {
  return (
    <tr>
      <td className={within ? 'within' : undefined}>
        {href ? (
          <a href={href} className="link">
            {name}
          </a>
        ) : (
          name
        )}
      </td>
      <td>{formatExactDollars(amount)}</td>
      <td data-share={within ? undefined : share}>{share !== undefined && formatExactDollars(share)}</td>
    </tr>
  )
}
