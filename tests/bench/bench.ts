/** Runs the parts of the bench, collects their figures, closes what they started, and writes RESULTS.md. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { type Measurement, measurements, type Part } from './measurements.ts'
import { median, spread } from './statistics.ts'
import { workerdVersion } from './workerd.ts'

/** A line of the table. */
interface Figure {
  what: string
  measured: string
  aim: string
  /** Undefined if no aim is set for the measurement. */
  reached?: boolean
  note: string
}

const figures: Figure[] = []

/** The functions and settings that a part can use while it runs. */
export interface Bench<P extends Part> {
  /** Whether to measure with fewer and shorter repetitions. */
  quick: boolean
  /** Registers what to close at the end of the part, the last first, even after an error. */
  open<T extends { close(): unknown }>(thing: T | Promise<T>): Promise<T>
  /** Records the values of a measurement. With `fault`, a reason, its aim counts as missed. */
  report(
    name: keyof (typeof measurements)[P] & string,
    values: number | number[],
    more?: { note?: string; fault?: string },
  ): void
}

export type Measure<P extends Part> = (bench: Bench<P>) => Promise<void>

export async function runPart<P extends Part>(part: P, measure: Measure<P>, quick: boolean): Promise<void> {
  const startedAt = performance.now()
  const closers: (() => unknown)[] = []
  const rows: Record<string, Measurement> = measurements[part]
  const unmeasured = new Set(Object.keys(rows))
  try {
    await measure({
      quick,
      open: async (promised) => {
        const thing = await promised
        closers.push(() => thing.close())
        return thing
      },
      report: (name, values, more) => {
        unmeasured.delete(name)
        add(figureOf(rows[name] as Measurement, [values].flat(), more))
      },
    })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
  for (const name of unmeasured) console.log(`     not measured: ${rows[name]?.what}`)
  console.log(`     (${part}: ${Math.round((performance.now() - startedAt) / 1000)} s)`)
}

function figureOf(
  { what, unit, atMost, atLeast, because }: Measurement,
  values: number[],
  { note = '', fault }: { note?: string; fault?: string } = {},
): Figure {
  const value = median(values)
  const hasAim = atMost !== undefined || atLeast !== undefined
  const inUnit = (text: string) => (unit ? `${text} ${unit}` : text)
  return {
    what,
    measured: inUnit(spread(values)) + (fault ? `, ${fault}` : ''),
    aim: hasAim ? inUnit(atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`) : 'printed',
    ...(hasAim && {
      reached: !fault && value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? 0),
    }),
    note: [note, because && `The aim: ${because}.`].filter(Boolean).join(' '),
  }
}

function add(figure: Figure): void {
  figures.push(figure)
  console.log(`${mark(figure).padEnd(4)} ${figure.what}: ${figure.measured}  [${figure.aim}]`)
  if (figure.note) console.log(`     ${figure.note}`)
}

function mark({ reached }: Figure): string {
  return reached === undefined ? '' : reached ? 'yes' : '**no**'
}

/** Prints how many aims were not reached and, if `file` is given, writes the table to it. */
export function writeResults(file: string | null, quick: readonly string[]): void {
  console.log(`${figures.filter(({ reached }) => reached === false).length} of ${figures.length} not reached`)
  if (!file) return
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const lines = figures.map(
    (figure) => `| ${figure.what} | ${figure.measured} | ${figure.aim} | ${mark(figure)} |`,
  )
  const notes = figures.filter(({ note }) => note).map(({ what, note }) => `- **${what}.** ${note}`)
  writeFileSync(
    file,
    `# Results of \`npm run bench\`

${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} cores, Node ${process.version}, workerd ${workerdVersion},
load average ${(loadavg()[1] ?? 0).toFixed(1)} over the last five minutes${quick.length ? `, with fewer repetitions in: ${quick.join(', ')}` : ''}.
A figure with a range is the median of repetitions, with the least and the greatest behind it.

| what | measured | aim | reached |
|---|---|---|---|
${lines.join('\n')}

${notes.join('\n')}
`,
  )
}
