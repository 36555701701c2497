import { plainSignature, signerOf } from '../wallet/signature.server.ts'
import { type Ballot, writeBallot } from './ballot.ts'

/** The address of the wallet that signed a ballot, in lower case; null if no wallet can have made the signature. */
export async function signerOfBallot(ballot: Ballot, signature: string): Promise<string | null> {
  const plain = plainSignature(signature)
  return plain && signerOf(writeBallot(ballot), plain)
}
