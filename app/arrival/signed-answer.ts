import { checksumAddress } from '../wallet/address.ts'

/** What a receiving wallet signs. */
export interface SignedAnswer {
  /** The transfer: chain, transaction and ordinal, as in acts: '56/0x…/0'. */
  payment: string
  /** The id of the row of the ledger. */
  row: number
  wallet: string
  answer: string
  /** The hash of salt and words; null without words. */
  wordsHash: string | null
  /** Whole seconds in UTC, such as 2027-01-05T12:30:00Z. */
  time: string
}

/** The text of public/ledger/format.md, without a brand: every verifier writes it again from an entry. */
export function writeSignedAnswer({ payment, row, wallet, answer, wordsHash, time }: SignedAnswer): string {
  return [
    'Answer of a recipient',
    '',
    `Payment: ${payment}`,
    `Number: ${row}`,
    `Wallet: ${checksumAddress(wallet)}`,
    `Answer: ${answer}`,
    `Words: ${wordsHash ?? 'none'}`,
    `Time: ${time}`,
    '',
    'This is free and moves no money. Wallet and answer become public for ever.',
  ].join('\n')
}
