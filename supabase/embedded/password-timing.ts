import bcrypt from 'bcryptjs'
import { Refusal } from './assurance.ts'
import type { Queries } from './database.ts'
import type { Handler } from './http.ts'

/**
 * A bcrypt hash with the same cost as lite's hashes, for an account that does not exist or has no password.
 * Any password's hash would do: this is the hash of the demonstration's password.
 */
export const dummyHash = '$2b$10$3Hpv40bcpm6JxfhH7w9p4.gSaduprFn4MJcUtmgatI7JhgvbzsN0.'
const hashCost = 10

interface Account {
  encrypted_password: string | null
  confirmed: boolean
}

/**
 * Works around lite, whose response time reveals which email addresses have an account. At sign-in, lite
 * hashes the password only if the address has an account; at sign-up with confirmation, only if the address
 * has no account. lite also responds 'Email not confirmed' to a wrong password. Like the hosted service, this
 * function hashes the password in every case, and responds 'Email not confirmed' only to the correct
 * password.
 */
export function withPasswordTiming(
  fetch: Handler,
  { db, confirmations }: { db: Queries; confirmations: boolean },
): Handler {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const isSignIn = pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password'
    const isSignUp = pathname === '/auth/v1/signup' && confirmations
    if (request.method !== 'POST' || !(isSignIn || isSignUp)) return fetch(request)

    const text = await request.text()
    const { email, password } = parse(text)
    const forwarded = new Request(request, { body: text })
    if (typeof email !== 'string' || typeof password !== 'string') return fetch(forwarded)

    const account = await findAccount(db, email)
    if (isSignUp) {
      if (account) await bcrypt.hash(password, hashCost)
      return fetch(forwarded)
    }
    // lite compares the password of a confirmed account itself.
    if (account?.encrypted_password && account.confirmed) return fetch(forwarded)
    const matches = await bcrypt.compare(password, account?.encrypted_password || dummyHash)
    if (account && !matches)
      return new Refusal(400, 'invalid_credentials', 'Invalid login credentials').toResponse()
    return fetch(forwarded)
  }
}

async function findAccount(db: Queries, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `select encrypted_password, confirmed_at is not null as confirmed
     from auth.users where lower(email) = lower($1)`,
    [email],
  )
  return rows[0]
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
