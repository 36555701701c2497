/**
 * The `handle` of a page whose script may request transactions from public endpoints of the chain (CHECK_RPC_URLS). The
 * content security policy of other pages forbids such requests.
 */
export const chainRequests = { requestsChain: true } as const

export function requestsChain(state: { matches: readonly { route: { handle?: unknown } }[] }): boolean {
  return state.matches.some(
    ({ route }) => (route.handle as Partial<typeof chainRequests> | undefined)?.requestsChain === true,
  )
}
