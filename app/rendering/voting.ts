import { msg } from '@lingui/core/macro'
import { useLanguage } from '../locales/react'
import { useFundMe } from './fundme-open'

/** Returns a sentence which says that no one can vote yet, for pages while FundMe is open. */
export function useVotingSentence(): string {
  const { i18n } = useLanguage()
  const { isTokenLive = false } = useFundMe() ?? {}
  return i18n._(isTokenLive ? msg`Voting is not open yet.` : msg`Voting opens when the token is live.`)
}
