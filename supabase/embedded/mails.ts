import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { EmailDriver, IAppConfig } from '@supabase/lite'
import { Refusal } from './assurance.ts'
import type { Database } from './database.ts'
import type { Handler } from './http.ts'

type EmailSettings = NonNullable<NonNullable<IAppConfig['auth']>['email']>

export interface MailOptions {
  db: Database
  driver: EmailDriver
  siteUrl: string
  /** `[auth.email]` of config.toml, with `enable_confirmations` from the options of the backend. */
  email: EmailSettings
}

interface User {
  id: string
  email: string
  confirmed: boolean
  /** Whether an email of this kind was sent within `max_frequency`. */
  tooSoon: boolean
}

type Template = 'confirmation' | 'email_change'

/**
 * Sends emails as the hosted service does, in the cases where lite differs: a member gets no second
 * confirmation, magic link or recovery within `max_frequency`, a confirmation can be sent again, and a change
 * of the email address is confirmed at both addresses.
 */
export function withMails(fetch: Handler, options: MailOptions): Handler {
  return async (request) => {
    const handle = handlers[`${request.method} ${new URL(request.url).pathname}`]
    if (!handle) return fetch(request)
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => null)
    const asked = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    try {
      return await handle({ ...options, fetch, request, asked })
    } catch (error) {
      if (error instanceof Refusal) return error.toResponse()
      throw error
    }
  }
}

interface Call extends MailOptions {
  fetch: Handler
  request: Request
  asked: Record<string, unknown>
}

const handlers: Record<string, (call: Call) => Promise<Response>> = {
  'POST /auth/v1/signup': signUp,
  'POST /auth/v1/resend': resend,
  'POST /auth/v1/otp': limited,
  'POST /auth/v1/recover': limited,
  'PUT /auth/v1/user': changeEmail,
  'POST /auth/v1/verify': confirmChange,
}

type SentAt = 'confirmation_sent_at' | 'recovery_sent_at' | 'email_change_sent_at'

async function findUser({ db, asked, email }: Call, sentAt: SentAt): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `select id, email, confirmed_at is not null as confirmed,
       coalesce(${sentAt} > now() - $2::interval, false) as "tooSoon"
     from auth.users where email = $1`,
    [typeof asked.email === 'string' ? asked.email.toLowerCase() : '', email.max_frequency ?? '1s'],
  )
  return rows[0]
}

const tooSoon = () =>
  new Refusal(
    429,
    'over_email_send_rate_limit',
    'For security purposes, you can only request this after 1 seconds.',
  )

async function limited(call: Call): Promise<Response> {
  if ((await findUser(call, 'recovery_sent_at'))?.tooSoon) throw tooSoon()
  return call.fetch(call.request)
}

/**
 * With `enable_confirmations`, sign-up with a confirmed email address returns a made-up account, to prevent
 * account enumeration. If the account is not confirmed yet, the confirmation is sent again.
 */
async function signUp(call: Call): Promise<Response> {
  const user = call.email.enable_confirmations ? await findUser(call, 'confirmation_sent_at') : undefined
  const isValid = typeof call.asked.password === 'string' && call.asked.password.length >= 6
  if (!user || !isValid) return call.fetch(call.request)
  if (!user.confirmed) {
    await sendConfirmation(call, user)
    return Response.json(await describeUser(call.db, user))
  }
  const now = new Date().toISOString()
  return Response.json({
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: '',
    email: user.email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: call.asked.data ?? {},
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  })
}

async function resend(call: Call): Promise<Response> {
  const user = call.asked.type === 'signup' ? await findUser(call, 'confirmation_sent_at') : undefined
  if (!user || user.confirmed) return call.fetch(call.request)
  await sendConfirmation(call, user)
  return Response.json({})
}

async function sendConfirmation(call: Call, user: User): Promise<void> {
  if (user.tooSoon) throw tooSoon()
  const { code, hash } = newToken(user.email)
  await call.db.query(
    'update auth.users set confirmation_token = $2, confirmation_sent_at = now() where id = $1',
    [user.id, hash],
  )
  await send(call, 'confirmation', user.email, { Token: code, TokenHash: hash, Email: user.email })
}

/** If both addresses must confirm a change, lite mails only the current one; this mails the new one. */
async function changeEmail(call: Call): Promise<Response> {
  const response = await call.fetch(call.request)
  if (!response.ok || !call.asked.email) return response
  const { id, email } = (await response.clone().json()) as { id: string; email: string }
  const { rows } = await call.db.query<{ address: string; hash: string }>(
    `select email_change as address, email_change_token_new as hash from auth.users
     where id = $1 and email_change <> '' and email_change_token_current is not null`,
    [id],
  )
  const [change] = rows
  if (change)
    await send(call, 'email_change', change.address, {
      TokenHash: change.hash,
      Email: email,
      NewEmail: change.address,
    })
  return response
}

const acceptedText = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/**
 * With `enable_confirmations`, opening the first of the two links is recorded, and opening the second changes
 * the email address. Without it, either link changes the address.
 */
async function confirmChange(call: Call): Promise<Response> {
  const { token_hash, type } = call.asked
  if (type !== 'email_change' || typeof token_hash !== 'string' || !call.email.double_confirm_changes)
    return call.fetch(call.request)
  const { rows } = await call.db.query<{ half: boolean }>(
    `update auth.users set
       -- lite completes the change at the token of the present address, so the last of the two goes there.
       email_change_token_current = case
         when $2 and email_change_token_current is not null and email_change_token_new is not null
         then nullif(email_change_token_current, $1) else $1 end,
       email_change_token_new = nullif(email_change_token_new, $1)
     where $1 in (email_change_token_current, email_change_token_new) and coalesce(email, '') <> ''
     returning email_change_token_current is distinct from $1 as half`,
    [token_hash, call.email.enable_confirmations],
  )
  if (rows[0]?.half) return Response.json({ code: '200', msg: acceptedText })
  return call.fetch(call.request)
}

/**
 * A code of six digits, and the token hash for a link. lite verifies the hash, so this function computes the
 * hash from the email address and the code as lite does.
 */
function newToken(address: string) {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return {
    code,
    hash: createHash('sha256')
      .update(address + code)
      .digest('hex'),
  }
}

async function send(
  { driver, email, siteUrl }: Call,
  template: Template,
  to: string,
  values: Record<string, string>,
): Promise<void> {
  const { subject = '', content_path = '' } = email.template?.[template] ?? {}
  const all: Record<string, string> = { SiteURL: siteUrl, ...values }
  const html = readFileSync(content_path, 'utf8').replace(
    /\{\{ \.(\w+) \}\}/g,
    (_, name: string) => all[name] ?? '',
  )
  await driver.send({ to, subject, text: '', html })
}

/** The response to a sign-up for an account that is not confirmed yet. */
async function describeUser(db: Database, { id }: User) {
  const { rows } = await db.query(
    `select id, aud, role, email, '' as phone, confirmation_sent_at, raw_app_meta_data as app_metadata,
       raw_user_meta_data as user_metadata, created_at, updated_at, false as is_anonymous,
       (select jsonb_agg(jsonb_build_object('identity_id', identity.id, 'id', identity.provider_id,
          'user_id', identity.user_id, 'identity_data', identity.identity_data, 'provider', identity.provider,
          'last_sign_in_at', coalesce(identity.last_sign_in_at, identity.created_at),
          'created_at', identity.created_at, 'updated_at', identity.updated_at,
          'email', identity.identity_data ->> 'email'))
        from auth.identities identity where identity.user_id = users.id) as identities
     from auth.users where id = $1`,
    [id],
  )
  return rows[0]
}
