import { useRouteLoaderData } from '@remix-run/react'

/** What pages know of FundMe while it is open. */
export interface FundMe {
  /** True if the contract of the token is deployed (TOKEN_ADDRESS). */
  isTokenLive: boolean
}

/** What the root route knows of FundMe; undefined while FundMe is closed, and without the data of the route. */
export function useFundMe(): FundMe | undefined {
  return useRouteLoaderData<{ fundMe?: FundMe }>('root')?.fundMe
}

/** True if the pages of goals are open (FUNDME_OPEN); false without the data of the root route. */
export function useFundMeOpen(): boolean {
  return useFundMe() !== undefined
}
