import { formatDollars, formatExactDollars, toDecimal } from '../money'
import { divide, type Flow, type FlowPart, sample } from './flow'

/** The treasury's sources and uses as a diagram and as a table, and the division of $50 in the same proportions. */
export function MoneyFlow({ flow }: { flow: Flow }) {
  const shares = divide(
    sample,
    flow.uses.map(({ amount }) => amount),
  )
  const sentence = flow.uses.map(({ name }, at) => `${name} $${toDecimal(shares[at] ?? 0)}`).join(', ')
  return (
    <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <figure className="flow">
        <FlowDiagram flow={flow} />
        <figcaption className="mt-3 max-w-[60ch]">
          <strong>Of every ${sample / 100} we received:</strong> {sentence}.
        </figcaption>
      </figure>
      <table className="flow-table figures">
        <caption className="pb-2 text-left text-sm text-muted">
          The same as a table: verified payments, in US dollars of the day they moved
        </caption>
        <thead>
          <tr>
            <th scope="col">Came from</th>
            <th scope="col">Amount</th>
            <th scope="col">Of $50</th>
          </tr>
        </thead>
        <tbody>
          {flow.sources.map((part) => (
            <FlowRow key={part.name} part={part} />
          ))}
          <tr>
            <th scope="row">Went to</th>
            <td className="font-semibold">{formatExactDollars(flow.total)}</td>
            <td />
          </tr>
          {flow.uses.map((part, at) => (
            <FlowRow key={part.name} part={part} share={shares[at] ?? 0} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FlowRow({ part: { name, amount, href }, share }: { part: FlowPart; share?: number }) {
  return (
    <tr>
      <td>
        <a href={href} className="link">
          {name}
        </a>
      </td>
      <td>{formatExactDollars(amount)}</td>
      <td data-share={share}>{share !== undefined && `$${toDecimal(share)}`}</td>
    </tr>
  )
}

/** The drawing's units: about a CSS pixel on a narrow screen. */
const width = 340
const barWidth = 8
const leftBar = 98
const middleBar = 140
const rightBar = 182
/** The least distance between two labels, which have two lines. */
const labelHeight = 34
const gap = 6

interface Node extends FlowPart {
  y: number
  height: number
  labelY: number
}

function FlowDiagram({ flow: { sources, uses, total } }: { flow: Flow }) {
  const rows = Math.max(sources.length, uses.length)
  const height = rows * (labelHeight + gap)
  const scale = (height - (rows - 1) * gap) / total
  const left = place(sources, scale, height)
  const right = place(uses, scale, height)
  const middleHeight = total * scale
  const middleTop = (height - middleHeight) / 2
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Where the money went: ${[...sources, ...uses].map(({ name, amount }) => `${name} ${formatDollars(amount)}`).join(', ')}`}
    >
      {ribbons(left, scale, middleTop).map(({ name, y, height, middle }) => (
        <path
          key={name}
          className="flow-ribbon"
          d={ribbon(leftBar + barWidth, y, middleBar, middle, height)}
        />
      ))}
      {ribbons(right, scale, middleTop).map(({ name, y, height, middle }) => (
        <path
          key={name}
          className="flow-ribbon"
          d={ribbon(middleBar + barWidth, middle, rightBar, y, height)}
        />
      ))}
      {left.map(({ name, y, height }) => (
        <rect key={name} className="flow-in" x={leftBar} y={y} width={barWidth} height={height} />
      ))}
      <rect className="flow-bar" x={middleBar} y={middleTop} width={barWidth} height={middleHeight} />
      {right.map(({ name, y, height }) => (
        <rect key={name} className="flow-bar" x={rightBar} y={y} width={barWidth} height={height} />
      ))}
      {left.map((node) => (
        <Label key={node.name} node={node} x={leftBar - 6} anchor="end" />
      ))}
      {right.map((node) => (
        <Label key={node.name} node={node} x={rightBar + barWidth + 6} anchor="start" />
      ))}
    </svg>
  )
}

function Label({
  node: { name, amount, labelY },
  x,
  anchor,
}: {
  node: Node
  x: number
  anchor: 'start' | 'end'
}) {
  return (
    <text x={x} y={labelY} textAnchor={anchor} className="chart-word">
      <tspan x={x} dy="-2">
        {name}
      </tspan>
      <tspan x={x} dy="15" className="flow-amount">
        {formatDollars(amount - (amount % 100))}
      </tspan>
    </text>
  )
}

/** Bars of a column from top to bottom, centred, with labels that don't overlap. */
function place(parts: FlowPart[], scale: number, height: number): Node[] {
  const used = parts.reduce((all, { amount }) => all + amount * scale, 0) + gap * (parts.length - 1)
  let y = (height - used) / 2
  const nodes = parts.map((part) => {
    const node = {
      ...part,
      y,
      height: Math.max(part.amount * scale, 0.75),
      labelY: y + (part.amount * scale) / 2,
    }
    y += part.amount * scale + gap
    return node
  })
  let least = labelHeight / 2
  for (const node of nodes) {
    node.labelY = Math.max(node.labelY, least)
    least = node.labelY + labelHeight
  }
  let most = height - labelHeight / 2
  for (const node of nodes.toReversed()) {
    node.labelY = Math.min(node.labelY, most)
    most = node.labelY - labelHeight
  }
  return nodes
}

/** The position of each node's ribbon at the treasury's bar: one below the other, without gaps. */
function ribbons(nodes: Node[], scale: number, top: number): (Node & { middle: number })[] {
  let middle = top
  return nodes.map((node) => {
    const placed = { ...node, middle }
    middle += node.amount * scale
    return placed
  })
}

function ribbon(x1: number, y1: number, x2: number, y2: number, height: number): string {
  const bend = (x1 + x2) / 2
  const [a, b, c, d] = [y1, y2, y2 + height, y1 + height].map((y) => y.toFixed(1))
  return `M${x1} ${a}C${bend} ${a} ${bend} ${b} ${x2} ${b}V${c}C${bend} ${c} ${bend} ${d} ${x1} ${d}z`
}
