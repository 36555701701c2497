import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { EnglishWords } from '../platform/ui/words'

/** A text of an act, word for word; null if withdrawn. `error`: why the text cannot be published. */
export interface ActFact {
  name: string
  text: string | null
  /** Whether the text is in the language of the page. */
  isOurs?: boolean
  error?: string | undefined
}

/** A hash, an address, the subject of a payment, or an operator's words. */
export function ActText({ text }: { text: string }) {
  return /^(?:\d+\/)?(?:0x)?[\da-f]{40,64}(?:\/\d+)?$/i.test(text) ? (
    <span className="hash">{text}</span>
  ) : (
    <EnglishWords>{text}</EnglishWords>
  )
}

/** The subject of an act, or the texts that the act will publish, word for word. */
export function ActFacts({
  title,
  href,
  facts,
}: {
  title: ReactNode
  href?: string | null
  facts: ActFact[]
}) {
  const id = useId()
  return (
    <section className="sheet mt-6 max-w-3xl" aria-labelledby={id}>
      <h2 id={id} className="text-xl wrap-anywhere">
        {href ? (
          <a href={href} className="link" rel="noopener">
            {title}
          </a>
        ) : (
          title
        )}
      </h2>
      {facts.length > 0 && (
        <dl className="mt-4 grid gap-4">
          {facts.map(({ name, text, isOurs, error }) => (
            <div key={name}>
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="whitespace-pre-line wrap-anywhere">
                {text !== null ? (
                  isOurs ? (
                    text
                  ) : (
                    <ActText text={text} />
                  )
                ) : (
                  <span className="text-muted">
                    <Trans>Withdrawn</Trans>
                  </span>
                )}
                {error && <strong className="block text-bad">{error}</strong>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
