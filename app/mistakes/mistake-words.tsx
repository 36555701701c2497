import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Mistake } from './mistakes.server'

type Subject = Pick<Mistake, 'kind' | 'state' | 'transactionId' | 'orderId' | 'goal' | 'pool'>

const corrected: Record<string, MessageDescriptor> = {
  transaction: msg`A payment was recorded wrong`,
  statement: msg`A statement was published wrong`,
  update: msg`An update of a pool was published wrong`,
}
const failed: Record<string, MessageDescriptor> = {
  failed: msg`The blockchain refused a payment`,
  mismatched: msg`A payment moved another amount than ordered`,
  lost: msg`A payment was lost`,
}

/** What happened. */
export function mistakeTitle({ kind, state }: Pick<Subject, 'kind' | 'state'>): MessageDescriptor {
  switch (kind) {
    case 'correction':
      return corrected[state ?? ''] ?? msg`A published record was wrong`
    case 'withdrawal':
      return msg`A published text was removed`
    case 'mismatch':
      return state === 'reorganised'
        ? msg`A payment of the ledger was no longer on the blockchain`
        : msg`A payment of the ledger didn't match the blockchain`
    case 'balance':
      return msg`A wallet held another amount than the ledger says`
    case 'payment':
      return failed[state ?? ''] ?? msg`A payment failed`
    case 'custody':
      return msg`No holder showed a key of a wallet for 30 days`
    case 'arrival':
      return msg`The recipient says it didn't arrive`
    default:
      return msg`A goal's report is late`
  }
}

/** What was done, or that nothing was done yet. */
export function whatWasDone({ kind, state, endedAt }: Pick<Mistake, 'kind' | 'state' | 'endedAt'>) {
  switch (kind) {
    case 'correction':
      return msg`It was corrected. The wrong version stays in the log.`
    case 'withdrawal':
      return msg`The log keeps its hash and this reason.`
    case 'mismatch':
      if (state === 'replaced') return msg`A corrected payment replaced it.`
      return endedAt
        ? msg`It matches the blockchain again.`
        : msg`It is not solved yet. No total includes this payment.`
    case 'balance':
      return endedAt ? msg`The two agree again.` : msg`It is not solved yet.`
    case 'payment':
      if (endedAt) return msg`The ledger found the payment later.`
      return state === 'failed'
        ? msg`The money stayed in our wallet.`
        : state === 'lost'
          ? msg`All payments were suspended until two operators resumed them.`
          : msg`The site pays nothing more in this token.`
    case 'custody':
      return endedAt ? msg`A holder signed.` : msg`No holder has signed yet.`
    case 'arrival':
      return endedAt
        ? msg`The recipient answered otherwise later.`
        : msg`The page of the next order to this recipient warns of it.`
    default:
      return endedAt ? msg`The report came.` : msg`There is no report yet.`
  }
}

/** The page of what a mistake is about. */
export function mistakePage({ kind, state, transactionId, orderId, goal, pool }: Subject): string {
  if (kind === 'arrival') return `/transparency/${transactionId}#arrival`
  if (transactionId !== null) return `/transparency/${transactionId}`
  if (orderId !== null) return `/transparency/orders?before=${orderId + 1}`
  if (goal !== null) return `/giveback/${goal}`
  if (pool !== null) return `/voting/${pool}`
  if (kind === 'balance' || kind === 'custody') return '/transparency/wallets'
  return state === 'statement' ? '/cz-call' : '/transparency/acts'
}

/** True for what is still wrong. */
export function isOpen({ kind, endedAt }: Pick<Mistake, 'kind' | 'endedAt'>): boolean {
  return endedAt === null && kind !== 'payment'
}
