import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Text } from '../platform/locales/i18n'
import { useLanguage } from '../platform/locales/react'
import { MemberText } from './goal-words'
import type { Submission } from './reviewed-goals.server'

type Written = keyof Submission

const names: Record<Written, Text> = {
  title: msg`Title`,
  byline: msg({ message: 'Who asks', comment: 'The label of a field: who asks for money' }),
  category: msg`Category`,
  target_usd: msg({ message: 'Target', context: 'goal' }),
  days: msg({ message: 'Days', comment: 'For how many days people can give' }),
  plan: msg({ message: 'The plan', comment: 'The title of a table: what the money is for' }),
  story: msg`Story`,
  links: msg`Links`,
  picture_path: msg`Picture`,
  picture_text: msg`What the picture shows`,
  wallet: msg`Wallet`,
}

/** Each part of a goal that differs from the previous submission, with both texts. */
export function ChangeList({ now, before }: { now: Submission; before: Submission }) {
  const { i18n, formats } = useLanguage()
  const textOf = (part: Written, { plan, target_usd, ...rest }: Submission): string => {
    if (part === 'target_usd') return formats.dollars(target_usd)
    if (part !== 'plan') return `${rest[part] ?? ''}`
    return plan.map(({ amount, what }) => `${formats.dollars(amount ?? 0)} ${what}`).join('\n')
  }
  const changed = (Object.keys(names) as Written[])
    .map((part) => ({ part, old: textOf(part, before), new: textOf(part, now) }))
    .filter((texts) => texts.old !== texts.new)
  if (changed.length === 0)
    return (
      <p className="mt-4">
        <Trans>Nothing. The member submitted the same again.</Trans>
      </p>
    )
  return (
    <dl className="mt-4 grid max-w-3xl gap-5">
      {changed.map((texts) => (
        <div key={texts.part}>
          <dt className="font-semibold">{i18n._(names[texts.part])}</dt>
          <dd className="mt-1 border-s-4 border-hairline ps-3 text-muted">
            <span className="text-sm">
              <Trans comment="Above a text that was changed since">Before</Trans>
            </span>
            <MemberText>{texts.old || '–'}</MemberText>
          </dd>
          <dd className="mt-2 border-s-4 border-ink ps-3">
            <span className="text-sm text-muted">
              <Trans comment="Above a text that was changed">Now</Trans>
            </span>
            <MemberText>{texts.new || '–'}</MemberText>
          </dd>
        </div>
      ))}
    </dl>
  )
}
