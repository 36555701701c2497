import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useLanguage } from '../locales/react'

/** The `lang` for an attribute, such as `alt`, whose words are stored in English. */
export function useLangOfEnglish(): 'en' | undefined {
  return useLanguage().locale.code === 'en' ? undefined : 'en'
}

/** A member's words, whose language is unknown. */
export function WordsOfMember({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" lang="">
      {children}
    </span>
  )
}

/** Words that are stored in English, such as the words of operators and of the log. */
export function EnglishWords({ children }: { children: ReactNode }) {
  const { locale } = useLanguage()
  if (locale.code === 'en') return children
  return (
    <span dir="auto" lang="en">
      {children}
    </span>
  )
}

/** Says, not in English, why some words are in English. `goals`: words of members, in any language. */
export function OriginalWords({ goals = false, className }: { goals?: boolean; className?: string }) {
  const { locale } = useLanguage()
  if (locale.code === 'en') return null
  return (
    <p className={`text-sm text-muted ${className ?? ''}`}>
      {goals ? (
        <Trans>The words of members are in the language in which they wrote them.</Trans>
      ) : (
        <Trans>What was bought and what people wrote is in English, word for word.</Trans>
      )}
    </p>
  )
}
