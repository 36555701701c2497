import { sample } from '~/ledger/flow'
import type { Cents } from '~/platform/money'

/** A part of the fifty blocks. The parts are drawn in order. */
export interface BlockPart {
  fill: 'spent' | 'waiting' | 'dreams' | 'costs'
  /** The share of `sample` that this part represents, in cents. */
  share: Cents
}

/** The size of a block with its gap, in units of the drawing. */
const unit = 20
const side = 17
const count = sample / 100

/**
 * Fifty blocks, each of which stands for a fiftieth of the money. Blocks and parts of blocks that no part
 * fills are outlines.
 */
export function Blocks({ parts, label }: { parts: BlockPart[]; label: string }) {
  return (
    <div role="img" aria-label={label} className="blocks">
      <Grid columns={25} parts={parts} />
      <Grid columns={10} parts={parts} />
    </div>
  )
}

/** One of two arrangements: a wide screen shows 25 columns, and a phone shows 10. */
function Grid({ columns, parts }: { columns: number; parts: BlockPart[] }) {
  const width = columns * unit - (unit - side)
  const height = (count / columns) * unit - (unit - side)
  const id = (name: string) => `blocks-${columns}-${name}`
  const given = parts
    .filter(({ fill }) => fill === 'spent' || fill === 'waiting')
    .reduce((all, { share }) => all + share, 0)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <pattern id={id('shape')} width={unit} height={unit} patternUnits="userSpaceOnUse">
        <rect width={side} height={side} rx="4.5" fill="#fff" />
      </pattern>
      {['edge', 'ink'].map((name) => (
        <pattern key={name} id={id(name)} width={unit} height={unit} patternUnits="userSpaceOnUse">
          <rect x=".5" y=".5" width={side - 1} height={side - 1} rx="4" className={`blocks-${name}`} />
        </pattern>
      ))}
      <pattern
        id={id('hatch')}
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="1.8" height="4" className="blocks-spent" />
      </pattern>
      <mask id={id('mask')}>
        <rect width={width} height={height} fill={`url(#${id('shape')})`} />
      </mask>
      <g mask={`url(#${id('mask')})`}>
        {segments(parts, columns).map(({ fill, x, y, width }) => (
          <rect
            key={`${x} ${y}`}
            x={x}
            y={y}
            width={width}
            height={side}
            data-hue={fill === 'dreams' || fill === 'costs' ? fill : undefined}
            className={fill === 'spent' ? 'blocks-spent' : fill === 'waiting' ? undefined : 'hue-fill'}
            fill={fill === 'waiting' ? `url(#${id('hatch')})` : undefined}
          />
        ))}
      </g>
      <rect width={width} height={height} fill={`url(#${id('edge')})`} />
      {segments([{ fill: 'spent', share: Math.ceil(given / 100) * 100 }], columns).map(({ x, y, width }) => (
        <rect key={y} x={x} y={y} width={width} height={side} fill={`url(#${id('ink')})`} />
      ))}
    </svg>
  )
}

/**
 * The first cent of each part. Money given, dreams and costs each begin at a new block, so that no block has
 * two hues. If fifty blocks are too few, parts share blocks.
 */
function startsOf(parts: BlockPart[]): Cents[] {
  const apart: Cents[] = []
  const dense: Cents[] = []
  let [end, all] = [0, 0]
  for (const { fill, share } of parts) {
    const start = fill === 'waiting' ? end : Math.ceil(end / 100) * 100
    apart.push(start)
    dense.push(all)
    end = start + share
    all += share
  }
  return end > sample ? dense : apart
}

/** The parts as rectangles: one rectangle for each row of blocks that a part touches. */
function segments(parts: BlockPart[], columns: number) {
  const found: { fill: BlockPart['fill']; x: number; y: number; width: number }[] = []
  const starts = startsOf(parts)
  for (const [at, { fill, share }] of parts.entries()) {
    const from = (starts[at] ?? 0) / 100
    const to = from + share / 100
    for (let row = Math.floor(from / columns); row * columns < to; row += 1) {
      const start = Math.max(from - row * columns, 0)
      const end = Math.min(to - row * columns, columns)
      const x = place(start)
      // A part that ends with a whole block ends at the edge of this block, not at the start of the next
      // block.
      const width = (Number.isInteger(end) ? end * unit - (unit - side) : place(end)) - x
      if (width > 0) found.push({ fill, x: round(x), y: row * unit, width: round(width) })
    }
  }
  return found
}

/** The horizontal position after this number of blocks. The gap between two blocks represents no money. */
function place(blocks: number): number {
  const whole = Math.floor(blocks)
  return whole * unit + (blocks - whole) * side
}

function round(units: number): number {
  return Math.round(units * 100) / 100
}
