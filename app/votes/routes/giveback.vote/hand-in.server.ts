import { msg } from '@lingui/core/macro'
import { percentagesOf } from '~/ledger/split'
import type { Text } from '~/platform/locales/i18n'
import type { Data } from '~/platform/server/data.server'
import { type Ballot, isInTime, readBallot } from '~/votes/ballot'
import { signerOfBallot } from '~/votes/signer.server'
import type { OpenedVote } from '~/votes/votes.server'
import { checksumAddress } from '~/wallet/address'
import { plainSignature } from '~/wallet/signature.server'

/** Why a ballot was not handed in. `isOther`: it was not the text that the page shows. */
interface Refusal {
  status: number
  sentence: Text
  isOther?: true
}

const notAsked: Refusal = {
  status: 400,
  sentence: msg`This isn't the ballot we asked for. Please sign the text below.`,
  isOther: true,
}

/** The sentence for a ballot that comes after the end. `ended`: when the vote ended, in words. */
export function endedRefusal(ended: string): Refusal {
  return { status: 400, sentence: msg`Voting ended on ${ended}.` }
}

/** Verifies a ballot that a visitor typed: the text and its signature. */
export async function readTyped(
  vote: OpenedVote,
  goal: string,
  { text, signature }: { text: string; signature: string },
): Promise<{ ballot: Ballot; signature: `0x${string}` } | Refusal> {
  const ballot = readBallot(text)
  if (!ballot || ballot.vote !== vote.leaf) return notAsked
  if (vote.most ? !percentagesOf(ballot.choice) : ballot.goal !== goal) return notAsked
  if (!isInTime(ballot.time, vote.openedAt, new Date())) return notAsked
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature))
    return { status: 400, sentence: msg`A signature starts with 0x and has 132 characters.` }
  const [plain, signer] = [plainSignature(signature), await signerOfBallot(ballot, signature)]
  if (!plain || !signer)
    return {
      status: 400,
      sentence: msg`This isn't the signature of a wallet with a key. Please copy it again.`,
    }
  const other = checksumAddress(signer)
  if (signer !== ballot.wallet)
    return { status: 400, sentence: msg`This signature was made by another wallet: ${other}.` }
  return { ballot, signature: plain }
}

/** Stores a verified ballot with the member's token. Returns null if it was stored. */
export async function handIn(
  { api, log }: Data,
  { id: member }: { id: string },
  vote: OpenedVote,
  { ballot, signature }: { ballot: Ballot; signature: string },
  ended: string,
): Promise<Refusal | null> {
  const { error, status } = await api.from('fundme_ballots').insert({
    member,
    vote: vote.id,
    wallet: ballot.wallet,
    choice: ballot.choice,
    signed_at: ballot.time,
    signature,
  })
  if (!error) return null
  if (error.message === 'ballot_closed') return endedRefusal(ended)
  if (error.message === 'ballot_time' || error.message === 'ballot_choice') return notAsked
  if (error.message === 'ballot_many')
    return {
      status: 429,
      sentence: msg`You have 20 ballots that wait to be counted. Please try again in a few minutes.`,
    }
  log.error('ballot.not-stored', { code: error.code, status })
  return {
    status: 503,
    sentence: msg`We can't store this right now. Your signature stays valid: please send it again in a moment.`,
  }
}
