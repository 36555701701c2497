import type { ReactNode } from 'react'
import { useLanguage } from '../locales/react'

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
