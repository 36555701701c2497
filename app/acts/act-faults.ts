import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { Words } from '../platform/forms/text'
import type { CommandRefused } from '../platform/server/data.server'
import type { Kind } from './forms/kind'
import { fieldsOfAct } from './schemas'

const detailSchema = z.catch(
  z.object({
    field: z.optional(z.string()),
    why: z.optional(z.string()),
    by: z.nullish(z.string()),
    second: z.nullish(z.string()),
    at: z.optional(z.coerce.date()),
    state: z.optional(z.string()),
    most: z.optional(z.string()),
  }),
  {},
)
type Detail = z.infer<typeof detailSchema>

/** The sentence for each code that a function for operators raises as its message (migration 'operators'). */
const sentences: Record<string, MessageDescriptor | ((detail: Detail, words: Words) => MessageDescriptor)> = {
  not_operator: msg`Only operators can do this.`,
  factor_needed: msg`Confirm with your authenticator app first.`,
  not_found: msg`This doesn't exist.`,
  too_large: msg`This is too long to store. Shorten the texts.`,
  too_many: msg`You have 50 of these. Finish or end one first.`,
  already_done: ({ by, second, at, state }, { i18n, formats }) => {
    const who = second ?? by ?? i18n._(commandLine)
    const when = at ? formats.instant(at) : ''
    return (already[state ?? ''] ?? already.done)(who, when)
  },
  changed: msg`This changed meanwhile. Open the newest version and propose it again.`,
  own_act: msg`A second operator must confirm this. You proposed it.`,
  no_second: msg`There is no second operator yet. Add one first.`,
  proposer_ended: msg`The person who proposed this is no longer an operator. Withdraw this proposal and make it again.`,
  same_person: msg`Another operator must confirm this statement.`,
  not_yours: msg`Only the operator who proposed this can withdraw it.`,
  exists: ({ field }) => existing[field ?? ''] ?? msg`This exists already.`,
  no_account: msg`No account has this email address.`,
  unconfirmed: msg`No email to this address was ever used for this account. Its owner must sign in by email once.`,
  no_factor: msg`This account has no two-step sign-in yet. Its owner must add it first.`,
  already_operator: msg`This member is an operator already.`,
  own_goal: msg`You can't decide about your own goal. Another operator must.`,
  stage: msg`This goal is in another stage now. Open its page again.`,
  unchecked: msg`The goal's wallet was not checked in the last day. Wait for the next check.`,
  too_many_goals: msg`200 goals are open. Approve this one when another has ended.`,
  frozen: msg`This goal is frozen. Release it first.`,
  no_report: msg`This goal has no final report yet.`,
  own_payment: msg`You cannot approve a payment to yourself.`,
  operators_only: msg`Only two operators together can do this.`,
  split_recent: msg`A vote on the split was opened in the last 30 days. Open the next one later.`,
  no_payments: msg`The scheduled work has not stored the paying wallets yet. Try again in some minutes.`,
  many_taken: msg`You have taken five orders that are not paid yet: pay or stop one first.`,
  not_in_flight: msg`This order is not on its way. Only one that was sent can be ended so.`,
  too_early: msg`It was sent too recently: three operators or more can end it after 30 minutes, two after 30 days.`,
  bound: msg`This payment was sent already. It can no longer be stopped.`,
  order_over: msg`This order has ended already.`,
  no_gap: msg`The ledger knows all transactions of the payer. Nothing has to be accepted.`,
  gap_unread: msg`The scheduled work still looks for the senders of payments. Try again in some minutes.`,
  gap_unmatched: msg`The payer sent a payment without an order. Its key may be stolen: use a new one.`,
  refused: ({ why }) => msg`The ledger refused it: ${{ why: `${why}` }}.`,
}

/** The name of the actor of an act without an operator. */
export const commandLine = msg`the holder of the secret key`

type Already = (who: string, at: string) => MessageDescriptor
const already: Record<string, Already> & { done: Already } = {
  waiting: (who, at) => msg`Already proposed by ${who}, ${at}.`,
  dropped: (who, at) => msg`Already dropped by ${who}, ${at}.`,
  done: (who, at) => msg`Already done by ${who}, ${at}.`,
}

const existing: Record<string, MessageDescriptor> = {
  link: msg`Already published. Correct it instead.`,
  address: msg`This wallet has a name already. Correct it instead.`,
  handle: msg`This handle was used before. Choose another one.`,
  rule: msg`There is a standing order of this kind already. Suspend it first.`,
}

/** The sentences for reasons why the database refused a value that the schema accepted. */
const refusals: Record<string, (label: string, most: string) => MessageDescriptor> = {
  unnamed: () => msg`Name this address first.`,
  no_key: () => msg`This key moves no money of ours, as far as the blockchain was read.`,
  same: (label) => msg`${label} is the paying wallet itself.`,
  zero: (label) => msg`${label} must be more than zero.`,
  limit: (label, most) => msg`${label} may be at most ${most}.`,
  decimals: (label, most) => msg`${label} may have at most ${most} decimals.`,
  letters: () => msg`Each line needs three letters or digits.`,
  missing: (label) => msg`${label} is missing.`,
  length: (label) => msg`${label} is too short or too long.`,
  spaces: (label) => msg`${label} has spaces around it.`,
  characters: (label) => msg`${label} has a control or direction character.`,
  format: (label) => msg`${label} is not written as it must be.`,
  fixed: (label) => msg`${label} can't be changed.`,
  past: (label) => msg`${label} is too long ago.`,
  future: (label) => msg`${label} is in the future.`,
  range: (label) => msg`${label} is out of range.`,
  other_rule: (label) => msg`${label} belongs to another kind of standing order. Leave it empty.`,
  no_wallet: () => msg`The paying wallet of this kind is not configured.`,
  year: (label) => msg`${label} may be at most a year away.`,
  voted: () => msg`Token holders voted on the parts. Leave them empty.`,
  sum: () => msg`The parts must be 100 together.`,
  never: () => msg`The owner of this address wants no question from us again.`,
  own: () => msg`This is the address of an operator: the recipient must answer.`,
  ours: (label) => msg`${label} reads like one of our own wallets.`,
  wallet_names_of_others: (label) => msg`${label} is one of our own wallets.`,
  wallet_names_unique: (label) => msg`${label} is the name of another wallet. Add what tells them apart.`,
  wallet_names_letters: (label) => msg`${label} mixes the letters of two alphabets, or has invisible ones.`,
  transactions_direction_of_type: (label) => msg`${label} doesn't fit this payment.`,
  transactions_account_of_type: (label) => msg`${label} doesn't fit this payment.`,
  transactions_counter_account_of_type: (label) => msg`${label} doesn't fit this payment.`,
}

export interface ActFault {
  /** The error code from the database; 'unknown' for any other error. */
  code: string
  /** The name of the wrong field, if the fault concerns a field. */
  field: string | null
  /** The sentence about the fault. */
  words(language: Words): string
}

/** The fault that an operator sees after a function for operators refused the call. */
export function faultOf(kind: Kind | null, refused: Pick<CommandRefused, 'code' | 'detail'>): ActFault {
  const { code } = refused
  const detail = detailSchema.parse(refused.detail)
  const field = detail.field ?? null
  const fault = (says: (words: Words) => MessageDescriptor, known = code): ActFault => ({
    code: known,
    field: known === code ? field : null,
    words: (language) => language.i18n._(says(language)),
  })
  if (code === 'invalid_field')
    return fault(({ i18n }) => {
      if (field === 'tx' && detail.why === 'unknown') return msg`That payment isn't in the ledger yet.`
      const named = kind && fieldsOfAct(kind).find(({ name }) => name === field)
      const label = named ? i18n._(named.label) : `${field}`
      if (field === 'statement' && detail.why === 'unknown') return msg`That statement isn't published yet.`
      return refusals[detail.why ?? '']?.(label, detail.most ?? '') ?? msg`${label} is wrong.`
    })
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  if (!sentence) return fault(() => msg`An error occurred.`, 'unknown')
  return fault((words) => (typeof sentence === 'function' ? sentence(detail, words) : sentence))
}
