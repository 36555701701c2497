/** Too few endpoints responded, agreed, or have the block or transaction. It says nothing about the data. */
export class Unreachable extends Error {}
/**
 * The endpoints rejected the call, for example because they no longer have the state or because the contract
 * reverts; or the result of balanceOf is malformed.
 */
export class CallRefused extends Error {
  /** The reason that a contract gave, in its words; null if it gave none. */
  readonly reason: string | null
  /** What the endpoint said, for operators only. */
  readonly words: string

  constructor(
    message: string,
    { reason = null, words = '' }: { reason?: string | null; words?: string } = {},
  ) {
    super(message)
    this.reason = reason
    this.words = words
  }
}
/** The response is too large to be read. */
export class TooLarge extends CallRefused {}
/** The range of blocks, or its result, is too large for an endpoint. */
export class RangeTooLarge extends Error {}
/** The chain was reorganised while it was being read. Discard the data that was read. */
export class ReorgDetected extends Error {}
