import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { generator } from './load.ts'
import { workerdVersion } from './workerd.ts'

/** One line of the table. */
export interface Figure {
  what: string
  aim: string
  measured: string
  /** Undefined for a line without an aim. */
  reached?: boolean
  note?: string
}

export const figures: Figure[] = []

export function add(figure: Figure): void {
  figures.push(figure)
  console.log(`${mark(figure).padEnd(4)} ${figure.what}: ${figure.measured}  [${figure.aim}]`)
  if (figure.note) console.log(`     ${figure.note}`)
}

function mark({ reached }: Figure): string {
  return reached === undefined ? '' : reached ? 'yes' : '**no**'
}

/** Writes tests/bench/RESULTS.md. */
export function writeResults(quick: boolean): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const lines = figures.map(
    (figure) => `| ${figure.what} | ${figure.measured} | ${figure.aim} | ${mark(figure)} |`,
  )
  const notes = figures.filter(({ note }) => note).map(({ what, note }) => `- **${what}.** ${note}`)
  writeFileSync(
    'tests/bench/RESULTS.md',
    `# Results of \`npm run bench\`

${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} cores, Node ${process.version}, workerd ${workerdVersion},
load average ${(loadavg()[1] ?? 0).toFixed(1)} over the last five minutes, generator ${generator}${quick ? ', a quick run' : ''}.
A ratio is the median over interleaved repetitions, with the least and the greatest behind it.

| what | measured | aim | reached |
|---|---|---|---|
${lines.join('\n')}

${notes.join('\n')}
`,
  )
}
