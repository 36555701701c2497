import { type Operator, UsageError } from './ledger-operator.ts'

/**
 * The two acts of the command line, for the holder of the secret key: one adds an operator, the other reads a payment from
 * the blockchain again. Operators do all other acts at /operator.
 */
type KeyAct =
  | { kind: 'operator'; values: { email: string; handle: string } }
  | { kind: 'reading'; subject: string; version: number; values: Record<string, unknown> }

/** The sentences for codes that the database raises for these acts. */
const refusals: Record<string, string> = {
  no_account: '--email: No account has this email address.',
  unconfirmed:
    '--email: No email to this address was ever used for this account. Its owner must sign in by email once.',
  no_factor: '--email: This account has no two-step sign-in yet. Its owner must add it first.',
  already_operator: '--email: This member is an operator already.',
  exists: '--handle: This handle was used before. Choose another one.',
  changed: 'This changed meanwhile. Run the command again.',
}

/** Performs an act with the secret key, as the public record says. UsageError if it is refused. */
export async function doAct({ service }: Operator, act: KeyAct): Promise<void> {
  const { subject = null, version } = { subject: undefined, version: undefined, ...act }
  const { error } = await service.api.rpc('act_with_key', {
    kind: act.kind,
    // The generated types do not allow null.
    subject: subject as string,
    reason: null as never,
    arguments: act.values as never,
    version,
  })
  if (!error) return
  const details = error.details ? ` (${error.details})` : ''
  throw new UsageError(refusals[error.message] ?? `The backend refused it: ${error.message}${details}`)
}
