import * as z from 'zod'
import { formatInstant } from '../time.ts'
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

const newest = 'Open the newest version and propose it again.'

/** The sentence for each code that a function for operators raises as its message (supabase/migrations, operators). */
const sentences: Record<string, string | ((detail: Detail) => string)> = {
  not_operator: 'Only operators can do this.',
  factor_needed: 'Confirm with your authenticator app first.',
  not_found: "This doesn't exist.",
  too_large: 'This is too long to store. Shorten the texts.',
  too_many: 'You have 50 of these. Finish or drop one first.',
  already_done: ({ by, second, at, state }) =>
    `Already ${state === 'waiting' ? 'proposed' : state === 'dropped' ? 'dropped' : 'done'} by ${second ?? by ?? 'the command line'}, ${at ? formatInstant(at) : ''}.`,
  changed: `This changed meanwhile. ${newest}`,
  own_act: 'A second operator must confirm this. You proposed it.',
  no_second: 'There is no second operator yet. Add one first.',
  proposer_ended: 'Who proposed this is no operator any more. Drop it and propose it again.',
  same_person: 'Another operator must confirm this statement.',
  not_yours: 'Only the operator who proposed this can drop it.',
  exists: ({ field }) => existing[field ?? ''] ?? 'This exists already.',
  no_account: 'No account has this email address.',
  no_factor: 'This account has no two-step sign-in yet. Its owner must add it first.',
  already_operator: 'This member is an operator already.',
  refused: ({ why }) => `The ledger refused it: ${why}.`,
}

const existing: Record<string, string> = {
  link: 'Already published. Correct it instead.',
  address: 'This wallet has a name already. Correct it instead.',
  handle: 'This handle was used before. Choose another one.',
}

/** Why the database refused a value that the schema accepted: the label of the field and these words are a sentence. */
const refusals: Record<string, string> = {
  missing: 'is missing',
  length: 'is too short or too long',
  spaces: 'has spaces around it',
  characters: 'has a control or direction character',
  format: 'is not written as it must be',
  fixed: "can't be changed",
  past: 'is too long ago',
  future: 'is in the future',
  range: 'is out of range',
  ours: 'reads like one of our own wallets',
  wallet_names_of_others: 'is one of our own wallets',
  wallet_names_unique: 'is the name of another wallet. Add what tells them apart',
  transactions_direction_of_type: "doesn't fit this payment",
  transactions_account_of_type: "doesn't fit this payment",
  transactions_counter_account_of_type: "doesn't fit this payment",
}

export interface ActFault {
  /** The code of the database; 'unknown' for any other error. */
  code: string
  /** The name of the field that is wrong, if the fault concerns one. */
  field: string | null
  sentence: string
}

/** What an error of a function for operators says to the operator. */
export function faultOf(kind: ActKind | null, error: { message: string; details?: unknown }): ActFault {
  const { message: code } = error
  const detail = detailOf(error.details)
  const field = detail.field ?? null
  if (code === 'invalid_field') {
    if (field === 'tx' && detail.why === 'unknown')
      return { code, field, sentence: "That payment isn't in the ledger yet." }
    const label = kind && fieldsOf(kind).find(({ name }) => name === field)?.label
    return { code, field, sentence: `${label ?? field} ${refusals[detail.why ?? ''] ?? 'is wrong'}.` }
  }
  const words = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  if (!words) return { code: 'unknown', field: null, sentence: 'An error occurred.' }
  return { code, field, sentence: typeof words === 'string' ? words : words(detail) }
}

function detailOf(details: unknown): Detail {
  try {
    return detailSchema.parse(details)
  } catch {
    return {}
  }
}
