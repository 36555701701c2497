import * as z from 'zod'
import { commandLine, type Fault } from './fault-words.ts'
import type { ActKind } from './kinds.ts'
import { fieldsOf } from './schemas.ts'

const detailSchema = z
  .string()
  .transform((text) => JSON.parse(text) as unknown)
  .pipe(
    z.object({
      field: z.string().optional(),
      why: z.string().optional(),
      by: z.string().nullish(),
      second: z.string().nullish(),
      at: z.coerce.date().optional(),
      state: z.string().optional(),
    }),
  )

type Detail = z.infer<typeof detailSchema>

/** The sentence for each code that a function for operators raises as its message (migration 'operators'). */
const sentences: Record<string, string | ((detail: Detail) => Fault)> = {
  not_operator: /* i18n */ 'Only operators can do this.',
  factor_needed: /* i18n */ 'Confirm with your authenticator app first.',
  not_found: /* i18n */ "This doesn't exist.",
  too_large: /* i18n */ 'This is too long to store. Shorten the texts.',
  too_many: /* i18n */ 'You have 50 of these. Finish or end one first.',
  already_done: ({ by, second, at, state }) => ({
    sentence: already[state ?? ''] ?? already.done,
    values: { who: second ?? by ?? { key: commandLine }, at: at ?? '' },
  }),
  changed: /* i18n */ 'This changed meanwhile. Open the newest version and propose it again.',
  own_act: /* i18n */ 'A second operator must confirm this. You proposed it.',
  no_second: /* i18n */ 'There is no second operator yet. Add one first.',
  proposer_ended:
    /* i18n */ 'The person who proposed this is no longer an operator. Withdraw this proposal and make it again.',
  same_person: /* i18n */ 'Another operator must confirm this statement.',
  not_yours: /* i18n */ 'Only the operator who proposed this can withdraw it.',
  exists: ({ field }) => ({ sentence: existing[field ?? ''] ?? /* i18n */ 'This exists already.' }),
  no_account: /* i18n */ 'No account has this email address.',
  unconfirmed:
    /* i18n */ 'No email to this address was ever used for this account. Its owner must sign in by email once.',
  no_factor: /* i18n */ 'This account has no two-step sign-in yet. Its owner must add it first.',
  already_operator: /* i18n */ 'This member is an operator already.',
  own_goal: /* i18n */ "You can't decide about your own goal. Another operator must.",
  stage: /* i18n */ 'This goal is in another stage now. Open its page again.',
  unchecked: /* i18n */ "The goal's wallet was not checked in the last day. Wait for the next check.",
  too_many_goals: /* i18n */ '200 goals are open. Approve this one when another has ended.',
  frozen: /* i18n */ 'This goal is frozen. Release it first.',
  no_report: /* i18n */ 'This goal has no final report yet.',
  refused: ({ why }) => ({ sentence: /* i18n */ 'The ledger refused it: {why}.', values: { why: `${why}` } }),
}

const already: Record<string, string> & { done: string } = {
  waiting: /* i18n */ 'Already proposed by {who}, {at}.',
  dropped: /* i18n */ 'Already dropped by {who}, {at}.',
  done: /* i18n */ 'Already done by {who}, {at}.',
}

const existing: Record<string, string> = {
  link: /* i18n */ 'Already published. Correct it instead.',
  address: /* i18n */ 'This wallet has a name already. Correct it instead.',
  handle: /* i18n */ 'This handle was used before. Choose another one.',
}

/** The sentences for reasons why the database refused a value that the schema accepted. */
const refusals: Record<string, string> = {
  missing: /* i18n */ '{label} is missing.',
  length: /* i18n */ '{label} is too short or too long.',
  spaces: /* i18n */ '{label} has spaces around it.',
  characters: /* i18n */ '{label} has a control or direction character.',
  format: /* i18n */ '{label} is not written as it must be.',
  fixed: /* i18n */ "{label} can't be changed.",
  past: /* i18n */ '{label} is too long ago.',
  future: /* i18n */ '{label} is in the future.',
  range: /* i18n */ '{label} is out of range.',
  ours: /* i18n */ '{label} reads like one of our own wallets.',
  wallet_names_of_others: /* i18n */ '{label} is one of our own wallets.',
  wallet_names_unique: /* i18n */ '{label} is the name of another wallet. Add what tells them apart.',
  wallet_names_letters: /* i18n */ '{label} mixes the letters of two alphabets, or has invisible ones.',
  transactions_direction_of_type: /* i18n */ "{label} doesn't fit this payment.",
  transactions_account_of_type: /* i18n */ "{label} doesn't fit this payment.",
  transactions_counter_account_of_type: /* i18n */ "{label} doesn't fit this payment.",
}

export interface ActFault {
  /** The error code from the database; 'unknown' for any other error. */
  code: string
  /** The name of the wrong field, if the fault concerns a field. */
  field: string | null
  fault: Fault
}

/** The fault that an operator sees after an error in a function for operators. */
export function faultOf(kind: ActKind | null, error: { message: string; details?: unknown }): ActFault {
  const { message: code } = error
  const detail = detailOf(error.details)
  const field = detail.field ?? null
  if (code === 'invalid_field') {
    if (field === 'tx' && detail.why === 'unknown')
      return { code, field, fault: { sentence: /* i18n */ "That payment isn't in the ledger yet." } }
    const label = kind && fieldsOf(kind).find(({ name }) => name === field)?.label
    return {
      code,
      field,
      fault: {
        sentence: refusals[detail.why ?? ''] ?? /* i18n */ '{label} is wrong.',
        values: { label: label ? { key: label } : `${field}` },
      },
    }
  }
  const words = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  if (!words) return { code: 'unknown', field: null, fault: { sentence: /* i18n */ 'An error occurred.' } }
  return { code, field, fault: typeof words === 'string' ? { sentence: words } : words(detail) }
}

function detailOf(details: unknown): Detail {
  try {
    return detailSchema.parse(details)
  } catch {
    return {}
  }
}
