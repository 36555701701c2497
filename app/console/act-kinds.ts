/**
 * All kinds of acts. Each domain declares its own. The database has the same in private.act_kinds, and
 * tests/policies/acts.test.ts compares the two lists.
 */
import type { MessageDescriptor } from '@lingui/core'
import type { ActSubject, Kind } from '../acts/forms/kind'
import { operatorActs } from '../acts/operator-acts'
import { arrivalActs } from '../arrival/acts'
import { custodyActs } from '../custody/acts'
import { goalActs } from '../goals/acts'
import { ledgerActs } from '../ledger/acts'
import { mistakeActs } from '../mistakes/acts'
import { paymentActs } from '../payments/acts'
import { statementActs } from '../statements/acts'
import { voteActs } from '../votes/acts'

export const actKinds = {
  ...statementActs,
  ...ledgerActs,
  ...operatorActs,
  ...paymentActs,
  ...voteActs,
  ...goalActs,
  ...mistakeActs,
  ...custodyActs,
  ...arrivalActs,
} satisfies Record<string, Kind>

export type ActKind = keyof typeof actKinds

export function isActKind(text: string): text is ActKind {
  return Object.hasOwn(actKinds, text)
}

/** The description of a kind that has a name in `actKinds`, with the type that all kinds share. */
export function kindOf(name: string): Kind {
  if (!isActKind(name)) throw new Error(`no act of the kind ${name}`)
  return actKinds[name]
}

/** True if the reason of an act of this kind is not public. */
export function hasPrivateReason(kind: string): boolean {
  return isActKind(kind) && kindOf(kind).isReasonPrivate === true
}

/** The public page that shows what an act of this kind did; null if no page shows it. */
export function pageOfAct(kind: string, made: ActSubject): string | null {
  return (isActKind(kind) && kindOf(kind).pageOf?.(made)) || null
}

/**
 * The words for an act in the public record, such as 'Corrected a statement'. `revision` is the
 * revision of the entry that the act made. The code of a kind that this version does not know stays as it is.
 */
export function actWords(kind: ActKind, revision: number | null): MessageDescriptor {
  const { done, corrected } = kindOf(kind)
  return (revision && corrected) || done
}
