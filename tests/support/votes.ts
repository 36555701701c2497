import type { PrivateKeyAccount } from 'viem'
import { ballotTime, type Choice, writeBallot } from '../../app/votes/ballot.ts'
import type { TemporaryBackend } from './temporary-backend.ts'

type Backend = Pick<TemporaryBackend, 'sql'>

/** The newest vote of a goal, as everyone can read it. */
export async function readVote({ sql }: Backend, goal: string) {
  const [vote] = await sql<Record<string, string | number | boolean | null>>(
    'select * from public.published_votes where goal = $1',
    [goal],
  )
  return vote
}

/** A ballot that a wallet has signed, as a row of fundme_ballots. */
export async function signBallot(
  wallet: PrivateKeyAccount,
  { goal, id, leaf }: { goal: string; id: number; leaf: string },
  choice: Choice,
  at = new Date(),
) {
  const time = ballotTime(at)
  const message = writeBallot({ goal, choice, wallet: wallet.address, time, vote: leaf })
  const signature = await wallet.signMessage({ message })
  return { vote: id, wallet: wallet.address.toLowerCase(), choice, signed_at: time, signature, message }
}
