import bcrypt from 'bcryptjs'
import { Refusal } from './assurance.ts'
import type { Queries } from './database.ts'
import type { Handler } from './http.ts'

/** A bcrypt hash of a random password, at the cost that lite uses. */
const dummyHash = '$2b$10$3Hpv40bcpm6JxfhH7w9p4.gSaduprFn4MJcUtmgatI7JhgvbzsN0.'
const hashCost = 10

interface Account {
  encrypted_password: string | null
  confirmed: boolean
}

/**
 * Works around lite, which reveals by its response time who has an account: it hashes a password only for an address
 * that has one (sign-in) or has none (sign-up with confirmation). It also returns 'Email not confirmed' without
 * comparing the password. Like the hosted service, this hashes in every case and compares first.
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
