/**
 * Why an endpoint did not return a value: it limits our rate; the range of blocks or the response is too large; or it
 * refused for another reason, for example because it has no old state.
 */
export type Rejection = 'limited' | 'range' | 'large' | 'refused'

/** An error of a JSON-RPC response. `status` is the HTTP status. */
export interface RpcError {
  code: number
  message: string
  status: number
}

/**
 * The kind of an error. No two providers have the same codes and messages for the same error, so both are read: a code
 * such as -32005 means a rate at one provider and a range at another. tests/support/providers.ts has their answers.
 */
export function rejectionOf(method: string, { code, message, status }: RpcError): Rejection {
  const isOfLogs = method === 'eth_getLogs'
  if (code === 429 || status === 429) return 'limited'
  // What follows is a contract's own text, in any words.
  if (code === 3 || /^execution reverted/i.test(message)) return 'refused'
  if (isOfLogs && isRange.test(message)) return 'range'
  if (isLarge.test(message)) return isOfLogs ? 'range' : 'large'
  if (isRate.test(message)) return 'limited'
  // 'limit exceeded' without more words: the range, or the provider has switched the method off.
  if (isOfLogs && (code === -32005 || isVague.test(message))) return 'range'
  return code === -32005 ? 'limited' : 'refused'
}

/**
 * Tests of a message. Both expressions must match, in any order: one expression with `.*` between them would need a time
 * in proportion to the square of the length of the message, which comes from outside.
 */
const both = (subject: RegExp, fault: RegExp) => ({
  test: (text: string) => subject.test(text) && fault.test(text),
})
const isRange = both(
  /\b(range|blocks|results|logs|query)\b/i,
  /limit|exceed|too (many|large|big|wide|high)|more than|larger|greater|max|should work|not supported/i,
)
const isLarge = both(/response|result|answer/i, /too (large|big)|exceed|greater/i)
const isRate = both(
  /(rate|requests?|calls|credits|compute units|capacity|throughput|quota|usage|rps|load)\b|throttl/i,
  /limit|exceed|reached|capacity|per second|too (many|much)|throttl/i,
)
const isVague = /limit|exceed|too (many|large|big|wide)|timeout|timed out|took too long/i
