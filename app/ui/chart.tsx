import { type ReactNode, useId } from 'react'
import { useLanguage } from '../locales/react'
import type { Cents } from '../money'

/**
 * Charts of dollars by month, rendered on the server. Positions are percentages, so a chart fills any width
 * and its text keeps its size. A table on the page has the same figures.
 */
interface ChartProps {
  caption: ReactNode
  /** The title in the text alternative of the chart. */
  title: string
  summary: string
  /** The months of the horizontal axis, oldest first. */
  labels: string[]
  /** Each month with its values in words. */
  points: string[]
  /** The slug of the pool whose hue the chart uses. Without a slug, the chart is drawn in ink. */
  hue?: string
  /** The range of the vertical axis. By default, the range of this chart's values. */
  scale?: Scale
}

/**
 * A line through the values at the end of each month. The line starts at `opening`, the value before the
 * first month.
 */
export function LineChart({ values, opening, ...frame }: ChartProps & { values: Cents[]; opening: Cents }) {
  const scale = frame.scale ?? scaleOf([opening, ...values])
  const { slots, offset } = slotsOf(values)
  const across = useAcross(slots)
  const last = values.at(-1) ?? opening
  const points = [opening, ...values].map((value, at) => `${across(offset + at)} ${toPercent(value, scale)}`)
  const zero = toPercent(0, scale)
  return (
    <Frame {...frame} scale={scale}>
      <svg
        width="100%"
        height="100%"
        viewBox={`0 0 ${slots} 100`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path
          className="chart-area"
          d={`M${across(offset)} ${zero}L${points.join('L')}L${across(slots)} ${zero}Z`}
        />
        <path className="chart-line" d={`M${points.join('L')}`} vectorEffect="non-scaling-stroke" />
      </svg>
      <svg
        aria-hidden="true"
        className="overflow-visible"
        x={`${(across(slots) / slots) * 100}%`}
        y={`${toPercent(last, scale)}%`}
      >
        <rect className="chart-mark" x="-6" y="-6" width="12" height="12" rx="3.5" />
      </svg>
    </Frame>
  )
}

/**
 * Bars for each month: `up` above zero, and `down` below zero. The bars of `up` are filled, or outlined if
 * `down` exists.
 */
export function BarChart({ up, down, ...frame }: ChartProps & { up: Cents[]; down?: Cents[] }) {
  const below = (down ?? []).map((value) => -value)
  const scale = frame.scale ?? scaleOf([...up, ...below])
  return (
    <Frame {...frame} scale={scale}>
      <Bars className={down ? 'chart-in' : 'chart-out'} values={up} scale={scale} />
      <Bars className="chart-out" values={below} scale={scale} />
    </Frame>
  )
}

function Bars({ className, values, scale }: { className: string; values: Cents[]; scale: Scale }) {
  const { slots, offset } = slotsOf(values)
  const across = useAcross(slots)
  const zero = toPercent(0, scale)
  return values.map((value, at) => {
    const end = toPercent(value, scale)
    const [from, to] = [across(offset + at + 0.15), across(offset + at + 0.85)]
    const x = round((Math.min(from, to) / slots) * 100)
    return (
      value !== 0 && (
        <rect
          key={x}
          className={className}
          x={`${x}%`}
          y={`${Math.min(zero, end)}%`}
          width={`${round(70 / slots)}%`}
          height={`${round(Math.abs(zero - end))}%`}
          rx="1.5"
        />
      )
    )
  })
}

function Frame({
  caption,
  title,
  summary,
  labels,
  points,
  hue,
  scale,
  children,
}: ChartProps & { scale: Scale; children: ReactNode }) {
  const id = useId()
  const { formats, locale } = useLanguage()
  return (
    <figure className="chart" data-hue={hue}>
      <figcaption>{caption}</figcaption>
      <PointValues name={id} title={title} points={points} />
      <svg role="img" aria-labelledby={`${id}title ${id}summary`}>
        <title id={`${id}title`}>{title}</title>
        <desc id={`${id}summary`}>{summary}</desc>
        {scale.ticks.map((tick) => (
          <line
            key={tick}
            className={tick === 0 ? 'chart-zero' : 'chart-rule'}
            x1="0"
            x2="100%"
            y1={`${toPercent(tick, scale)}%`}
            y2={`${toPercent(tick, scale)}%`}
          />
        ))}
        {children}
        {scale.ticks.map((tick) => (
          <text
            key={tick}
            className="chart-word"
            {...(locale.dir === 'rtl' ? { x: '100%', dx: '8' } : { x: '-8' })}
            y={`${toPercent(tick, scale)}%`}
            dy="0.32em"
            textAnchor="end"
          >
            {formats.shortDollars(tick)}
          </text>
        ))}
        <MonthLabels labels={labels} />
      </svg>
    </figure>
  )
}

/**
 * The values of each month over its column, shown on hover, touch and focus, without JavaScript. Each column
 * has a radio button, so the group is one tab stop, and the arrow keys move between months.
 */
function PointValues({ name, title, points }: { name: string; title: string; points: string[] }) {
  const { offset } = slotsOf(points)
  return (
    <div className="chart-points" role="radiogroup" aria-label={title}>
      {Array.from({ length: offset }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns before the first month are all alike
        <span key={at} />
      ))}
      {points.map((point) => (
        <label key={point}>
          <input type="radio" name={name} />
          <span>{point}</span>
        </label>
      ))}
    </div>
  )
}

/**
 * Labels for the first, the last and a middle month. If there is room, also evenly spaced labels between
 * them.
 */
function MonthLabels({ labels }: { labels: string[] }) {
  const { slots, offset } = slotsOf(labels)
  const across = useAcross(slots)
  const last = labels.length - 1
  const step = Math.max(1, Math.ceil(last / 5))
  const middle = Math.round(last / 2 / step) * step
  return labels.map((label, at) => {
    const end = at === 0 || at === last
    if (!end && (at % step !== 0 || last - at < step * 0.8)) return null
    const anchor = at === last ? 'end' : at === 0 && offset === 0 ? 'start' : 'middle'
    const place = { start: 0, middle: offset + at + 0.5, end: slots }[anchor]
    return (
      <text
        key={label}
        className={end || at === middle ? 'chart-word' : 'chart-word chart-between'}
        x={`${round((across(place) / slots) * 100)}%`}
        y="100%"
        dy="1.6em"
        textAnchor={anchor}
      >
        {label}
      </text>
    )
  })
}

/** The horizontal position in the reading direction, which is from right to left in Arabic. */
function useAcross(slots: number): (position: number) => number {
  const { locale } = useLanguage()
  return (position) => (locale.dir === 'rtl' ? slots - position : position)
}

/** The slots of a chart, at least six. With fewer months, the first `offset` slots are empty. */
function slotsOf(values: unknown[]): { slots: number; offset: number } {
  const slots = Math.max(values.length, 6)
  return { slots, offset: slots - values.length }
}

export interface Scale {
  low: Cents
  high: Cents
  ticks: Cents[]
}

/** A range in round steps that contains zero and all values. */
export function scaleOf(values: Cents[]): Scale {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const step = roundStep((most - least) / 3)
  const low = Math.floor(least / step) * step
  const high = Math.max(Math.ceil(most / step) * step, low + step)
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step)
  return { low, high, ticks }
}

/** The smallest of 1, 2, 5, 10, 20, 50 … dollars that is not below `atLeast`. */
function roundStep(atLeast: Cents): Cents {
  const power = 10 ** Math.max(2, Math.floor(Math.log10(Math.max(atLeast, 1))))
  return [1, 2, 5].map((times) => times * power).find((step) => step >= atLeast) ?? 10 * power
}

/** The distance of a value from the top of the chart, in percent. */
function toPercent(value: Cents, { low, high }: Scale): number {
  return round(((high - value) / (high - low)) * 100)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
