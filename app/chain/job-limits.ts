/**
 * The number of calls after which a run begins no further step of the scan and compares no balances. The
 * platform allows 10,000 calls for each run, and the other parts of the run need some of them.
 */
export const maxCalls = 2_000
