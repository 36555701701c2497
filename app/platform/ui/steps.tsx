import { msg } from '@lingui/core/macro'
import { isValidElement, type ReactElement } from 'react'
import type { Text } from '../locales/i18n'
import { useLanguage } from '../locales/react'
import { Section } from './section'

/** 'How It Works': numbered steps. */
export function Steps({
  title = msg`How It Works`,
  steps,
  className = 'pt-8',
}: {
  title?: Text
  steps: readonly { title: Text; text: Text | ReactElement }[]
  /** The space above the section. */
  className?: string
}) {
  const { i18n } = useLanguage()
  return (
    <Section heading="steps" title={i18n._(title)} className={className}>
      <ol className="steps mt-6">
        {steps.map((step, at) => (
          <li key={i18n._(step.title)}>
            <span className="step-block" aria-hidden="true">
              {at + 1}
            </span>
            <h3 className="text-lg">{i18n._(step.title)}</h3>
            <p className="mt-1 text-muted">
              {isValidElement<unknown>(step.text) ? step.text : i18n._(step.text as Text)}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
