import type { ReactNode } from 'react'
import { Section } from './section'

/** 'How It Works': numbered steps. */
export function Steps({
  title = 'How It Works',
  steps,
  className = 'pt-8',
}: {
  title?: string
  steps: readonly { title: string; text: ReactNode }[]
  /** The space above. */
  className?: string
}) {
  return (
    <Section heading="steps" title={title} className={className}>
      <ol className="steps mt-6">
        {steps.map((step, at) => (
          <li key={step.title}>
            <span className="step-block" aria-hidden="true">
              {at + 1}
            </span>
            <h3 className="text-lg">{step.title}</h3>
            <p className="mt-1 text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
