/** A statement, and what was done about it. `verified` is about the statement: its source confirms it. */
export interface Call {
  id: number
  cursor: string
  date: Date
  author: string
  verified: boolean
  tweet: string
  tweetUrl: string | null
  action: string
  txHash: string | null
}
