import type { SiteWithBackend } from './site.ts'
import { sessionCookie, type Visitor } from './visitor.ts'

/** Makes a member's sign-ins `minutes` older (mfa_amr_claims), then refreshes the visitor's session. */
export async function makeStale(
  site: SiteWithBackend,
  visitor: Visitor,
  memberId: string,
  minutes = 11,
): Promise<void> {
  await site.backend.sql(
    `update auth.mfa_amr_claims set updated_at = now() - make_interval(mins => $2::int)
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [memberId, minutes],
  )
  const response = await fetch(`${site.backend.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: site.backend.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: tokensOf(visitor).refresh_token }),
  })
  visitor.carry(sessionCookie, (await response.json()) as object)
}

/** Returns the tokens in the visitor's session cookies. */
export function tokensOf({ jar }: Visitor): { access_token: string; refresh_token: string } {
  const chunks = [0, 1, 2].map((index) => jar.get(`${sessionCookie}.${index}`) ?? '')
  const stored = jar.get(sessionCookie) ?? chunks.join('')
  return JSON.parse(Buffer.from(stored.slice('base64-'.length), 'base64url').toString())
}
