import { useRouteLoaderData } from '@remix-run/react'

/** Whether the pages of goals are open (FUNDME_OPEN); false without the data of the root. */
export function useFundMeOpen(): boolean {
  return useRouteLoaderData<{ fundMe?: true }>('root')?.fundMe === true
}
