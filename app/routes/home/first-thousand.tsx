import { sample } from '~/ledger/flow'
import { formatDollars } from '~/money'
import { taxPercent } from '~/site'
import { Section } from '~/ui/section'
import { Blocks } from './blocks'

/** The amount of the example, in cents. */
const total = 100_000

const example = [
  { fill: 'spent', mark: 'swatch-given', dollars: 300, name: 'given, spent', text: 'books, tents, food' },
  {
    fill: 'waiting',
    mark: 'swatch-waiting',
    dollars: 300,
    name: 'given, left in a pool',
    text: 'for its next payment',
  },
  { fill: 'dreams', mark: 'hue-fill', dollars: 100, name: 'a dream', text: 'a goal that members chose' },
  { fill: 'costs', mark: 'hue-fill', dollars: 20, name: 'costs', text: 'fees of the network' },
] as const
const rest = total / 100 - example.reduce((all, { dollars }) => all + dollars, 0)

/** Shown before the first payment: what can happen to the first money that comes in. Its amounts are made up. */
export function FirstThousand() {
  return (
    <Section heading="first" title="What will happen to the first $1,000" className="fifty pt-section">
      <p className="mt-3 max-w-[65ch]">
        <span className="badge mr-2 border border-edge">Example</span>
        <span className="text-muted">
          When trades reach {formatDollars((total * 100) / taxPercent)}, the {taxPercent}% tax brings in
          $1,000. It could go like this. The real amounts come from the real payments.
        </span>
      </p>
      <Blocks
        label={`An example: of $1,000, ${example.map(({ dollars, name }) => `$${dollars} ${name}`).join(', ')}, $${rest} in the treasury`}
        parts={example.map(({ fill, dollars }) => ({ fill, share: (dollars * 100 * sample) / total }))}
      />
      <dl className="fifty-parts figures @min-[44rem]/column:grid-cols-5">
        {example.map(({ fill, mark, dollars, name, text }) => (
          <div key={name}>
            <dt data-hue={fill}>
              <span className={`swatch ${mark}`} />
              {name}
              <span className="fifty-note">{text}</span>
            </dt>
            <dd>${dollars}</dd>
          </div>
        ))}
        <div>
          <dt>
            <span className="swatch hue-outline" />
            in the treasury
            <span className="fifty-note">not given yet</span>
          </dt>
          <dd>${rest}</dd>
        </div>
      </dl>
    </Section>
  )
}
