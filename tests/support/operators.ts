import { TOTP } from 'otpauth'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { clientOf, signUp } from './temporary-backend.ts'

/**
 * Makes an account with a second factor. `token` belongs to a session that used the factor, `weakToken` to a
 * session that did not. `codeAt` returns the code that the app shows so many steps of 30
 * seconds later.
 */
export async function signUpWithFactor(backend: EmbeddedBackend, email: string) {
  const { client, id } = await signUp(backend, email)
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  const totp = new TOTP({ secret: factor?.totp.secret })
  const factorId = factor?.id ?? ''
  const { data, error } = await client.auth.mfa.challengeAndVerify({ factorId, code: totp.generate() })
  if (error) throw error
  const weak = await clientOf(backend).auth.signInWithPassword({ email, password: 'correct horse' })
  return {
    ...{ client, id, factorId, token: data.access_token, weakToken: weak.data.session?.access_token ?? '' },
    codeAt: (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 }),
  }
}

/** Adds an operator with this handle, whose email address is <handle>@example.org. */
export async function addOperator(backend: EmbeddedBackend, handle: string) {
  const email = `${handle}@example.org`
  const account = await signUpWithFactor(backend, email)
  await act(backend, 'operator', null, { email, handle })
  return account
}

/** Performs an act as the command-line tool does. */
export async function act(
  backend: EmbeddedBackend,
  kind: string,
  subject: string | null,
  values: Record<string, string>,
  reason: string | null = null,
): Promise<void> {
  await backend.sql('select public.act_with_key($1, $2, $3, $4)', [
    kind,
    subject,
    JSON.stringify(values),
    reason,
  ])
}

/** Names a wallet as two operators do: only such a name makes a recipient of orders. */
export async function nameByTwo(
  backend: EmbeddedBackend,
  address: string,
  name: string,
  people: [string, string] = ['ada', 'bob'],
): Promise<void> {
  await backend.sql(
    `with made as (select (public.append_name($1) ->> 'id')::bigint as id)
     insert into public.operator_acts (kind, subject, state, by, second, final_at, number, made_kind, made_id)
     select 'name', $2, 'done', $3, $4, now(),
       1 + coalesce((select max(acts.number) from public.operator_acts as acts), 0), 'name', id
     from made`,
    [JSON.stringify({ address, name, revision: 0 }), address, ...people],
  )
}
