import { isGoalSlug } from '../platform/goal-slug.ts'

/** The two sides of a row: the accounts of the project or of a goal, and the addresses. */
export interface Sides {
  fromAccount: string | null
  toAccount: string | null
  fromAddress: string
  toAddress: string
}

/**
 * Where the money of a row went: 'out' of the project, 'in', or 'between' two of our wallets. With a `party`, an
 * account or an address, as seen from it. A month's 'out' is the sum of its counted rows that went 'out'
 * (tests/backend/ledger.test.ts).
 */
export function signOf(
  { fromAccount, toAccount, fromAddress, toAddress }: Sides,
  party?: string,
): 'in' | 'out' | 'between' {
  if (party) {
    const isSender = party === fromAccount || party === fromAddress
    const isRecipient = party === toAccount || party === toAddress
    return isSender && isRecipient ? 'between' : isSender ? 'out' : 'in'
  }
  const isOurs = (account: string | null) => account !== null && !isGoalSlug(account)
  if (isOurs(fromAccount) && isOurs(toAccount)) return 'between'
  return isOurs(fromAccount) ? 'out' : 'in'
}
