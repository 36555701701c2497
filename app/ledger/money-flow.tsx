import { ph } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PageLink, useLanguage } from '../platform/locales/react'
import type { Cents } from '../platform/money'
import type { Flow, FlowPart } from './flow'

/** Heights in CSS pixels. The bar for the total amount is `scale` high. */
const scale = 280
const gap = 8
/**
 * The heights of a label with one line and with two lines. A second line says how much money is left in the
 * pool. Both heights are large enough for a finger to tap.
 */
const lineHeight = 34
const twoLines = 54
const barWidth = 14

/** A part with its place in a column: the bar has `height`, its row `rowHeight` from `top` on. */
interface Bar {
  part: FlowPart
  top: number
  rowHeight: number
  height: number
}

/**
 * The sources and the uses of the money as bars in proportion to the amounts, with labels beside the bars. On
 * a narrow screen, a sentence lists the sources. The drawing rounds the amounts; the table has the exact
 * amounts.
 */
export function MoneyFlow({ flow }: { flow: Flow }) {
  const { formats } = useLanguage()
  const { total, moneyIn, returned, sources, uses } = flow
  const [left, right] = [sources, uses].map((parts) => parts.map((part) => measure(part, total))) as [
    Bar[],
    Bar[],
  ]
  const height = Math.max(heightOf(left), heightOf(right), scale)
  place(left, height)
  place(right, height)
  const middle = (height - scale) / 2
  return (
    <>
      <figure className="flow">
        <div className="flow-picture figures mt-6">
          <p className="flow-total">
            {returned > 0 ? (
              <Trans>
                Money in <strong>{ph({ moneyIn: formats.roundDollars(moneyIn) })}</strong> and returned{' '}
                <strong>{ph({ returned: formats.roundDollars(returned) })}</strong>
              </Trans>
            ) : (
              <Trans>
                Money in <strong>{ph({ moneyIn: formats.roundDollars(moneyIn) })}</strong>
              </Trans>
            )}
          </p>
          <ul className="flow-sources">
            {left.map((bar) => (
              <Row key={bar.part.href} bar={bar} />
            ))}
          </ul>
          <Ribbons bars={left} height={height} middle={middle} total={total} side="sources" />
          <svg width={barWidth} height={height} className="flow-middle" aria-hidden="true">
            <rect y={middle} width={barWidth} height={scale} rx="3" />
          </svg>
          <Ribbons bars={right} height={height} middle={middle} total={total} side="uses" />
          <ul className="flow-uses">
            {right.map((bar) => (
              <Row key={bar.part.href} bar={bar} />
            ))}
          </ul>
        </div>
        <figcaption className="mt-5 flex flex-wrap gap-x-6 text-sm text-muted">
          <span>
            <span className="swatch hue-hatched" /> <Trans>left in a pool, not spent yet</Trans>
          </span>
          <span>
            <span className="swatch hue-outline" /> <Trans>not given yet</Trans>
          </span>
        </figcaption>
      </figure>
      <details className="mt-3">
        <summary className="link py-2">
          <Trans>Show the amounts as a table</Trans>
        </summary>
        <FlowTable flow={flow} />
      </details>
    </>
  )
}

/** A label with its bar. The element of width 0 gives the row the height that the ribbons need. */
function Row({
  bar: {
    part: { name, amount, href, hue, waiting = 0, isHeld },
    rowHeight,
    height,
  },
}: {
  bar: Bar
}) {
  const { i18n, formats } = useLanguage()
  const hatched = amount > 0 ? (height * waiting) / amount : 0
  return (
    <li data-hue={hue}>
      <svg width="0" height={rowHeight} className="flow-strut" aria-hidden="true" />
      <span className="flow-bar" aria-hidden="true">
        {isHeld ? (
          <svg width={barWidth} height={height} className="hue-outline" />
        ) : (
          <>
            <svg width={barWidth} height={height - hatched} className="hue-fill" />
            {hatched > 0 && <svg width={barWidth} height={hatched} className="hue-hatched" />}
          </>
        )}
      </span>
      <PageLink to={href} className="flow-name link">
        {i18n._(name)}
      </PageLink>
      <span className="flow-amount font-semibold">{formats.roundDollars(amount)}</span>
      {waiting > 0 && (
        <span className="flow-note text-sm leading-tight text-muted">
          <Trans>{ph({ waiting: formats.roundDollars(waiting) })} is left</Trans>
        </span>
      )}
    </li>
  )
}

function measure(part: FlowPart, total: Cents): Bar {
  const height = Math.max((part.amount / total) * scale, 1.5)
  const least = part.waiting ? twoLines : lineHeight
  return { part, top: 0, rowHeight: Math.round(Math.max(height, least)), height }
}

function heightOf(bars: Bar[]): number {
  return bars.reduce((all, { rowHeight }) => all + rowHeight, gap * (bars.length - 1))
}

/** Places the rows one below the other, vertically centred in `height`. */
function place(bars: Bar[], height: number): void {
  let top = (height - heightOf(bars)) / 2
  for (const bar of bars) {
    bar.top = top
    top += bar.rowHeight + gap
  }
}

/**
 * Draws a ribbon from each bar to its part of the bar in the middle. The drawing is as wide as its column. It
 * is drawn from left to right; styles.css mirrors it for languages that are written from right to left.
 */
function Ribbons({
  bars,
  height,
  middle,
  total,
  side,
}: {
  bars: Bar[]
  height: number
  middle: number
  total: Cents
  side: 'sources' | 'uses'
}) {
  let at = middle
  return (
    <svg
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      height={height}
      className={`flow-ribbons flow-ribbons-${side} w-full`}
      aria-hidden="true"
    >
      {bars.map(({ part: { href, amount, hue }, top, rowHeight, height }) => {
        const share = (amount / total) * scale
        const bar = top + (rowHeight - height) / 2
        const from = at
        at += share
        return (
          <path
            key={href}
            data-hue={hue}
            d={side === 'sources' ? ribbon(bar, from, height, share) : ribbon(from, bar, share, height)}
          />
        )
      })}
    </svg>
  )
}

/** A ribbon from `y1` on the left, with the height `start`, to `y2` on the right, with the height `end`. */
function ribbon(y1: number, y2: number, start: number, end: number): string {
  const [a, b, c, d] = [y1, y2, y2 + end, y1 + start].map((y) => y.toFixed(1))
  return `M0 ${a}C50 ${a} 50 ${b} 100 ${b}V${c}C50 ${c} 50 ${d} 0 ${d}z`
}

function FlowTable({ flow: { total, returned, sources, uses } }: { flow: Flow }) {
  const { formats } = useLanguage()
  return (
    <table className="flow-table figures">
      <caption>
        <Trans>The same figures in a table. We value each payment on the day it moved.</Trans>
      </caption>
      <thead>
        <tr>
          <th scope="col">
            {returned > 0 ? <Trans>Money in, and what came back</Trans> : <Trans>Money in</Trans>}
          </th>
          <th scope="col">
            <Trans>Amount</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {sources.map((part) => (
          <FlowRow key={part.href} part={part} />
        ))}
        <tr>
          <th scope="row">
            <Trans>Money out, and what is left</Trans>
          </th>
          <td className="font-semibold">{formats.exactDollars(total)}</td>
        </tr>
        {uses.map((part) => (
          <FlowRow key={part.href} part={part} />
        ))}
      </tbody>
    </table>
  )
}

function FlowRow({ part: { name, amount, href, waiting } }: { part: FlowPart }) {
  const { i18n, formats } = useLanguage()
  return (
    <tr>
      <td>
        <PageLink to={href} className="link">
          {i18n._(name)}
        </PageLink>
        {waiting ? (
          <span className="text-muted">
            {' '}
            <Trans>· {ph({ waiting: formats.exactDollars(waiting) })} of it is left</Trans>
          </span>
        ) : (
          ''
        )}
      </td>
      <td>{formats.exactDollars(amount)}</td>
    </tr>
  )
}
