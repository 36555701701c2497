import { msg } from '@lingui/core/macro'
import { useLanguage } from '../locales/react'
import { useFundMe } from './fundme-open'

/** Returns a sentence about whether token holders vote on goals, for pages while FundMe is open. */
export function useVotingSentence(): string {
  const { i18n } = useLanguage()
  const { isTokenLive = false, isVotingOpen = false } = useFundMe() ?? {}
  if (isVotingOpen) return i18n._(msg`Token holders vote on goals, and anyone can count the ballots again.`)
  return i18n._(isTokenLive ? msg`Voting is not open yet.` : msg`Voting opens when the token is live.`)
}
