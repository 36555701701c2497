import type { ReactNode } from 'react'
import { useLanguage } from '../locales/react'

/** The `lang` of an attribute, such as `alt`, with words that are stored in English. */
export function useLangOfEnglish(): 'en' | undefined {
  return useLanguage().locale.code === 'en' ? undefined : 'en'
}

/** What a member wrote, in a language that we don't know. */
export function WordsOfMember({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" lang="">
      {children}
    </span>
  )
}

/** Words that are stored in English, such as those of operators and of the log. */
export function EnglishWords({ children }: { children: ReactNode }) {
  const { locale } = useLanguage()
  if (locale.code === 'en') return children
  return (
    <span dir="auto" lang="en">
      {children}
    </span>
  )
}
