import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { sample } from '~/ledger/flow'
import { Gap, useLanguage } from '~/platform/locales/react'
import { taxPercent } from '~/platform/site'
import { Section } from '~/platform/ui/section'
import { Blocks } from './blocks'

/** The amount of the example, in cents. */
const total = 100_000

const example = [
  {
    fill: 'spent',
    mark: 'swatch-given',
    dollars: 300,
    name: msg`given, spent`,
    part: (amount: string) => msg`${amount} given, spent`,
    text: msg`books, tents, food`,
  },
  {
    fill: 'waiting',
    mark: 'swatch-waiting',
    dollars: 300,
    name: msg`given, left in a pool`,
    part: (amount: string) => msg`${amount} given, left in a pool`,
    text: msg`for its next payment`,
  },
  {
    fill: 'dreams',
    mark: 'hue-fill',
    dollars: 100,
    name: msg`a dream`,
    part: (amount: string) =>
      msg({ message: `${amount} a dream`, comment: 'An amount for one goal of the community' }),
    text: msg`a goal that members chose`,
  },
  {
    fill: 'costs',
    mark: 'hue-fill',
    dollars: 20,
    name: msg`costs`,
    part: (amount: string) => msg`${amount} costs`,
    text: msg`fees of the network`,
  },
] as const
const rest = total / 100 - example.reduce((all, { dollars }) => all + dollars, 0)

/** Shown before the first payment: an example of where the first money could go. The amounts are made up. */
export function FirstThousand() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const traded = formats.dollars((total * 100) / taxPercent)
  const whole = formats.dollars(total)
  const left = formats.dollars(rest * 100)
  const block = formats.dollars((total * 100) / sample)
  const list = example
    .map(({ dollars, part }) => i18n._(part(formats.dollars(dollars * 100))))
    .join(t({ message: ', ', comment: 'Between the parts of a list of amounts' }))
  return (
    <Section heading="first" title={t`What could happen to the first ${whole}`} className="fifty pt-section">
      <p className="mt-3 max-w-[65ch]">
        <span className="badge me-2 border border-edge">
          <Trans>Example</Trans>
        </span>
        <span className="text-muted">
          <Trans>
            When trades reach {traded}, the {taxPercent}% tax brings in {whole}. It could go like this. The
            real amounts come from the real payments.
          </Trans>
          <Gap />
          <Trans>Each block is {block}.</Trans>
        </span>
      </p>
      <Blocks
        label={t`An example: of ${whole}, ${list}, ${left} in the treasury`}
        parts={example.map(({ fill, dollars }) => ({ fill, share: (dollars * 100 * sample) / total }))}
      />
      <dl className="fifty-parts figures @min-[44rem]/column:grid-cols-5">
        {example.map(({ fill, mark, dollars, name, text }) => (
          <div key={fill}>
            <dt data-hue={fill}>
              <span className={`swatch ${mark}`} />
              {i18n._(name)}
              <span className="fifty-note">{i18n._(text)}</span>
            </dt>
            <dd>{formats.dollars(dollars * 100)}</dd>
          </div>
        ))}
        <div>
          <dt>
            <span className="swatch hue-outline" />
            <Trans>in the treasury</Trans>
            <span className="fifty-note">
              <Trans>not given yet</Trans>
            </span>
          </dt>
          <dd>{left}</dd>
        </div>
      </dl>
    </Section>
  )
}
