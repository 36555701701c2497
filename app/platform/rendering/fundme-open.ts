import { useRouteLoaderData } from '@remix-run/react'

/** The facts about FundMe that pages need while it is open. */
export interface FundMe {
  /** True if the contract of the token is deployed (TOKEN_ADDRESS). */
  isTokenLive: boolean
  /** True if token holders vote on goals (VOTING_OPEN). */
  isVotingOpen: boolean
}

/** The facts about FundMe from the root route; undefined while FundMe is closed, or if the route has no data. */
export function useFundMe(): FundMe | undefined {
  return useRouteLoaderData<{ fundMe?: FundMe }>('root')?.fundMe
}

/** True if the pages of goals are open (FUNDME_OPEN); false without the data of the root route. */
export function useFundMeOpen(): boolean {
  return useFundMe() !== undefined
}
