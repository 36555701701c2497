import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type MailboxMessage, openMailbox } from '../../supabase/embedded/mailbox.ts'
import { clientOf, siteUrl, startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary({ confirmations: true })
afterAll(() => backend.close())

const email = 'reader@example.org'

async function messages(): Promise<MailboxMessage[]> {
  return (await fetch(`${backend.mailUrl}/messages.json`)).json()
}

/** The newest email, with its link and its code. */
async function latest() {
  const [mail] = await messages()
  const link = new URL(/https?:\S+token_hash\S+/.exec(mail?.text ?? '')?.[0] ?? 'none:')
  return {
    mail,
    path: link.origin + link.pathname,
    type: link.searchParams.get('type'),
    token_hash: link.searchParams.get('token_hash') ?? '',
    code: /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? '',
  }
}

test('emails for sign-up, magic link, recovery and a new address have links to the site with valid tokens', async () => {
  const client = clientOf(backend)
  const { data } = await client.auth.signUp({ email, password: 'correct horse' })
  expect(data.session).toBeNull()
  const early = await client.auth.signInWithPassword({ email, password: 'correct horse' })
  expect(early.error).toMatchObject({
    status: 400,
    code: 'email_not_confirmed',
    message: 'Email not confirmed',
  })

  const confirmation = await latest()
  expect(confirmation).toMatchObject({
    mail: { to: email, subject: 'Confirm your email' },
    path: `${siteUrl}/auth/confirm`,
    type: 'email',
  })
  const confirm = { token_hash: confirmation.token_hash, type: 'email' } as const
  expect((await client.auth.verifyOtp(confirm)).data.user?.email).toBe(email)
  expect((await client.auth.verifyOtp(confirm)).error).toMatchObject({ status: 403, code: 'otp_expired' })

  await client.auth.signInWithOtp({ email })
  const magic = await latest()
  expect(magic).toMatchObject({
    mail: { subject: 'Sign in to Goodblock' },
    path: `${siteUrl}/auth/confirm`,
    type: 'email',
  })
  const wrong = await client.auth.verifyOtp({ email, token: '000000', type: 'email' })
  expect(wrong.error).toMatchObject({ status: 403, code: 'otp_expired' })
  expect((await client.auth.verifyOtp({ email, token: magic.code, type: 'email' })).error).toBeNull()

  const tooSoon = await client.auth.resetPasswordForEmail(email)
  expect(tooSoon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await client.auth.resetPasswordForEmail(email)
  const recovery = await latest()
  expect(recovery).toMatchObject({ mail: { subject: 'Choose a new password' }, type: 'recovery' })
  expect(
    (await client.auth.verifyOtp({ token_hash: recovery.token_hash, type: 'recovery' })).error,
  ).toBeNull()

  await client.auth.updateUser({ email: 'new@example.org' })
  const change = await latest()
  expect(change).toMatchObject({ mail: { subject: 'Confirm your new email' }, type: 'email_change' })
  expect(change.mail?.text).toContain('from reader@example.org to new@example.org')
  // Both email addresses get an email, and the two links may be opened in any order.
  const [newest, other] = await messages()
  expect([newest?.to, other?.to]).toEqual(['new@example.org', 'reader@example.org'])
  const half = await client.auth.verifyOtp({ token_hash: change.token_hash, type: 'email_change' })
  expect(half).toMatchObject({ data: { user: null, session: null }, error: null })
  const again = await client.auth.verifyOtp({ token_hash: change.token_hash, type: 'email_change' })
  expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' })
  const token_hash = /token_hash=(\w+)/.exec(other?.text ?? '')?.[1] ?? ''
  const changed = await client.auth.verifyOtp({ token_hash, type: 'email_change' })
  expect(changed.data.user?.email).toBe('new@example.org')

  const all = await messages()
  expect(all.map((mail) => mail.subject)).toHaveLength(5)
  expect(all.map((mail) => mail.date)).toEqual(
    all
      .map((mail) => mail.date)
      .sort()
      .reverse(),
  )
  for (const { text, html } of all) {
    expect(text).not.toMatch(/[<>{}]|&\w+;/)
    expect(html + text).not.toContain('/auth/v1/verify')
  }
})

test('the mailbox keeps the newest 500 emails, escapes their texts, and serves no other path', async () => {
  const { driver, handler } = openMailbox()
  const get = (path: string) => handler(new Request(`http://127.0.0.1${path}`))
  for (let i = 0; i <= 500; i += 1) {
    await driver.send({ to: 'a@example.org', subject: `Mail ${i}`, html: '<p>Hello</p>' })
  }
  const subjects = ((await (await get('/messages.json')).json()) as MailboxMessage[]).map(
    (mail) => mail.subject,
  )
  expect(subjects).toHaveLength(500)
  expect([subjects[0], subjects[499]]).toEqual(['Mail 500', 'Mail 1'])

  await driver.send({
    to: '"><img src=x>',
    subject: '<script>1</script>',
    html: '<p>Follow <a href="https://example.org/?a=1&amp;b=2">this</a></p><script>2</script>',
  })
  const page = await (await get('/')).text()
  expect(page).toContain('&#60;script&#62;1&#60;/script&#62;')
  expect(page).toContain('<a href="https://example.org/?a=1&#38;b=2"')
  expect(page).toContain('<iframe sandbox title=')
  expect(page).not.toMatch(/<script|<img/)
  expect((await get('/anything')).status).toBe(404)
})

test('sends a confirmation again, but not twice within max_frequency', async () => {
  const client = clientOf(backend)
  const again = 'again@example.org'
  await client.auth.signUp({ email: again, password: 'correct horse' })
  const resend = () => client.auth.resend({ type: 'signup', email: again })
  expect((await resend()).error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
  expect((await resend()).error?.message).toMatch(
    /^For security purposes, you can only request this after \d+ seconds\.$/,
  )
  await sleep(1_000)
  expect((await resend()).error).toBeNull()
  const sent = (await messages()).filter(({ to }) => to === again)
  expect(sent).toHaveLength(2)
  const { token_hash } = await latest()
  expect((await client.auth.verifyOtp({ token_hash, type: 'email' })).error).toBeNull()
})

test('the API and mailbox ports refuse any other host name', async () => {
  for (const url of [backend.url, backend.mailUrl]) {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      request(url, { headers: { host: 'evil.example' } }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  }
})
