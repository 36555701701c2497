import { useRouteLoaderData } from '@remix-run/react'

/** True if the pages of goals are open (FUNDME_OPEN); false without the data of the root route. */
export function useFundMeOpen(): boolean {
  return useRouteLoaderData<{ fundMe?: true }>('root')?.fundMe === true
}
