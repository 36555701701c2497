/**
 * After this many calls, a run begins no further step of the scan and compares no balances: the platform allows 10,000
 * for each run, and the other parts need some.
 */
export const maxCalls = 2_000
