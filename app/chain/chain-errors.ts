/** Too few endpoints responded, or no two gave the same result. This error says nothing about the data. */
export class Unreachable extends Error {}
/** Endpoints rejected the call: they no longer have the state, or the contract reverts. */
export class Refused extends Error {}
/** The range of blocks, or its result, is too large for an endpoint. */
export class RangeTooLarge extends Error {}
