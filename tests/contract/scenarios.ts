import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { readMails } from '../support/mails.ts'
import type { Recorder } from './service.ts'

export interface Scenario {
  name: string
  /** Whether the project must have confirmations, or must not. Undefined: runs with both. */
  confirmations?: boolean
  /** The reason why the embedded backend is not compared with the recording. */
  notEmulated?: string
  run(recorder: Recorder): Promise<void>
}

const password = 'a long password'

interface Member {
  id: string
  email: string
  token: string
  refresh: string
}

function newEmail(recorder: Recorder, name = 'email'): string {
  return recorder.hide(`contract-${randomUUID().slice(0, 8)}@example.com`, name)
}

/** Signs up a new member in a project without confirmations, where the response contains a session. */
async function signUp(recorder: Recorder): Promise<Member> {
  const email = newEmail(recorder)
  const { body } = await recorder.send('POST', '/signup', {
    body: { email, password, data: { username: 'Contract' }, gotrue_meta_security: {} },
  })
  return { id: body.user.id, email, token: body.access_token, refresh: body.refresh_token }
}

async function signIn(recorder: Recorder, email: string): Promise<Member> {
  const { body } = await recorder.send('POST', '/token?grant_type=password', {
    body: { email, password, gotrue_meta_security: {} },
  })
  return { id: body.user.id, email, token: body.access_token, refresh: body.refresh_token }
}

interface Mail {
  subject: string
  text: string
  hash: string
  code: string
  /** The number of emails that the address has received. */
  count: number
}

/** The newest email of an address, after it has received `count`. Throws after about 6 s. */
async function mailTo({ service }: Recorder, address: string, count = 1): Promise<Mail> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const [newest, ...others] = await readMails(service.mailUrl, address)
    if (newest && others.length + 1 >= count)
      return {
        subject: newest.subject,
        text: newest.text,
        hash: /token_hash=([\w-]+)/.exec(newest.text)?.[1] ?? '',
        code: /^\d{6}$/m.exec(newest.text)?.[0] ?? '',
        count: others.length + 1,
      }
    await sleep(100)
  }
  throw new Error(`no mail to ${address}`)
}

/** The service sends at most one email per second to an email address. */
const mailPause = () => sleep(1100)

const pkce = () => {
  const verifier = randomBytes(40).toString('hex')
  return {
    verifier,
    challenge: {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 's256',
    },
  }
}

/** An authenticator app. `code` returns an unused code of the previous, the current or the next time step. */
function authenticator(secret: string) {
  const totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  let step = Math.floor(Date.now() / 30_000) - 2
  return {
    async code() {
      step = Math.max(step + 1, Math.floor(Date.now() / 30_000) - (Date.now() % 30_000 < 20_000 ? 1 : 0))
      while (step > Math.floor(Date.now() / 30_000) + 1) await sleep(500)
      return totp.generate({ timestamp: step * 30_000 })
    },
    wrong: () => totp.generate({ timestamp: Date.now() - 3_600_000 }),
  }
}

export const scenarios: Scenario[] = [
  {
    name: 'password',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const email = newEmail(recorder)
      const data = { username: 'Contract' }
      const signedUp = await call('sign-up', 'POST', '/signup', { body: { email, password, data } })
      const token = signedUp.body.access_token
      await call('sign-up, address taken', 'POST', '/signup', { body: { email, password, data } })
      await call('sign-up, short password', 'POST', '/signup', {
        body: { email: newEmail(recorder, 'other'), password: '12345' },
      })
      await call('sign-up, password of 73 bytes', 'POST', '/signup', {
        body: { email: newEmail(recorder, 'other'), password: 'a'.repeat(73) },
      })
      await call('sign-up, password of 37 characters in 74 bytes', 'POST', '/signup', {
        body: { email: newEmail(recorder, 'other'), password: 'é'.repeat(37) },
      })
      await call('sign-up, no password', 'POST', '/signup', {
        body: { email: newEmail(recorder, 'other'), password: '' },
      })
      await call('sign-up, no address', 'POST', '/signup', { body: { email: 'unknown', password } })
      await call('sign-in', 'POST', '/token?grant_type=password', { body: { email, password } })
      await call('sign-in, wrong password', 'POST', '/token?grant_type=password', {
        body: { email, password: 'another' },
      })
      await call('sign-in, unknown address', 'POST', '/token?grant_type=password', {
        body: { email: newEmail(recorder, 'other'), password },
      })
      await call('user', 'GET', '/user', { token })
      const elsewhere = await signIn(recorder, email)
      await call('new password', 'PUT', '/user', {
        token,
        body: { password: 'another password', current_password: password },
      })
      await call('user on another device', 'GET', '/user', { token: elsewhere.token })
      await call('new password, the same', 'PUT', '/user', { token, body: { password: 'another password' } })
      await call('new password, short', 'PUT', '/user', { token, body: { password: '12345' } })
      await call('new password of 73 bytes', 'PUT', '/user', { token, body: { password: 'a'.repeat(73) } })
    },
  },
  {
    name: 'api version',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const body = { email: newEmail(recorder), password }
      const path = '/token?grant_type=password'
      await call('error with the version header', 'POST', path, { body })
      await call('error without the version header', 'POST', path, {
        body,
        headers: { 'X-Supabase-Api-Version': '' },
      })
      await call('a body that is no JSON', 'POST', path, { body: '{' })
      await call('a body that is no object', 'POST', path, { body: 'null' })
      await call('an unknown grant', 'POST', '/token?grant_type=none', { body })
    },
  },
  {
    name: 'tokens',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const member = await signUp(recorder)
      await call('user, garbage for a token', 'GET', '/user', { token: 'garbage' })
      await call('user, a token of another key', 'GET', '/user', {
        token: `${member.token.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`,
      })
      await call('refresh', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: member.refresh },
      })
      await call('refresh, the same again', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: member.refresh },
      })
      await call('refresh, unknown', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: 'unknownunkno' },
      })
      await call('refresh, none', 'POST', '/token?grant_type=refresh_token', { body: {} })
      const other = await signIn(recorder, member.email)
      await call('sign-out, others', 'POST', '/logout?scope=others', { token: other.token })
      await call('user, signed out elsewhere', 'GET', '/user', { token: member.token })
      await call('refresh, signed out elsewhere', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: member.refresh },
      })
      await call('sign-out, local', 'POST', '/logout?scope=local', { token: other.token })
      await call('sign-out again', 'POST', '/logout?scope=local', { token: other.token })
      const last = await signIn(recorder, member.email)
      await call('sign-out, global', 'POST', '/logout?scope=global', { token: last.token })
      await call('refresh, signed out', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: last.refresh },
      })
      await call('exchange of an unknown code', 'POST', '/token?grant_type=pkce', {
        body: { auth_code: randomUUID(), code_verifier: pkce().verifier },
      })
      await call('key set', 'GET', '/.well-known/jwks.json')
    },
  },
  {
    name: 'magic link',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const { email } = await signUp(recorder)
      const body = { email, create_user: false, data: {}, code_challenge: null, code_challenge_method: null }
      await call('ask for a link', 'POST', '/otp', { body })
      const late = await recorder.callAtOnce('ask again at once', 'POST', '/otp', { body })
      await call('ask, unknown address', 'POST', '/otp', {
        body: { ...body, email: newEmail(recorder, 'other') },
      })
      const mail = await mailTo(recorder, email, 1 + late)
      await call('wrong code', 'POST', '/verify', {
        body: { type: 'email', email, token: mail.code === '000000' ? '000001' : '000000' },
      })
      await call('link', 'POST', '/verify', { body: { type: 'email', token_hash: mail.hash } })
      await call('link again', 'POST', '/verify', { body: { type: 'email', token_hash: mail.hash } })
      await mailPause()
      await recorder.send('POST', '/otp', { body })
      const { code } = await mailTo(recorder, email, 2 + late)
      const session = await call('code', 'POST', '/verify', { body: { type: 'email', email, token: code } })
      await call('refresh after a code', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: session.body.refresh_token },
      })
      await call('code again', 'POST', '/verify', { body: { type: 'email', email, token: code } })
      await call('unknown link', 'POST', '/verify', { body: { type: 'email', token_hash: 'f'.repeat(56) } })
      await call('malformed code', 'POST', '/verify', { body: { type: 'email', email, token: '' } })
    },
  },
  {
    name: 'code flow',
    confirmations: false,
    notEmulated:
      'our templates link to the site, so the service’s own links, which lead to a code, are not used',
    async run(recorder) {
      const { call } = bound(recorder)
      const { email } = await signUp(recorder)
      const { verifier, challenge } = pkce()
      await call('ask for a link', 'POST', '/otp', {
        body: { email, create_user: false, data: {}, ...challenge },
      })
      const { hash } = await mailTo(recorder, email)
      const redirect = encodeURIComponent(`${recorder.service.siteUrl}/dashboard`)
      const followed = await call(
        'the service’s own link',
        'GET',
        `/verify?token=${hash}&type=magiclink&redirect_to=${redirect}`,
        { headers: { Authorization: '' } },
      )
      const code = new URL(followed.headers.get('location') ?? 'x:').searchParams.get('code')
      await call('exchange, wrong verifier', 'POST', '/token?grant_type=pkce', {
        body: { auth_code: code, code_verifier: 'a'.repeat(60) },
      })
      await call('exchange', 'POST', '/token?grant_type=pkce', {
        body: { auth_code: code, code_verifier: verifier },
      })
      await call('exchange again', 'POST', '/token?grant_type=pkce', {
        body: { auth_code: code, code_verifier: verifier },
      })
      await call('the link again', 'GET', `/verify?token=${hash}&type=magiclink&redirect_to=${redirect}`, {
        headers: { Authorization: '' },
      })
      await mailPause()
      const recovery = pkce()
      await recorder.send('POST', '/recover', { body: { email, ...recovery.challenge } })
      const mail = await mailTo(recorder, email, 2)
      const led = await call(
        'the service’s own link of recovery',
        'GET',
        `/verify?token=${mail.hash}&type=recovery`,
        { headers: { Authorization: '' } },
      )
      await call('exchange after recovery', 'POST', '/token?grant_type=pkce', {
        body: {
          auth_code: new URL(led.headers.get('location') ?? 'x:').searchParams.get('code'),
          code_verifier: recovery.verifier,
        },
      })
    },
  },
  {
    name: 'recovery',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const { email } = await signUp(recorder)
      await call('ask', 'POST', '/recover', { body: { email } })
      const late = await recorder.callAtOnce('ask again at once', 'POST', '/recover', { body: { email } })
      await call('ask, unknown address', 'POST', '/recover', { body: { email: newEmail(recorder, 'other') } })
      const { hash } = await mailTo(recorder, email, 1 + late)
      const { body } = await call('link', 'POST', '/verify', { body: { type: 'recovery', token_hash: hash } })
      await call('new password', 'PUT', '/user', {
        token: body.access_token,
        body: { password: 'another password' },
      })
      await call('refresh after recovery', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: body.refresh_token },
      })
      await mailPause()
      await recorder.send('POST', '/recover', { body: { email } })
      const { code } = await mailTo(recorder, email, 2 + late)
      await call('code', 'POST', '/verify', { body: { type: 'recovery', email, token: code } })
    },
  },
  {
    name: 'change of address',
    async run(recorder) {
      const { call } = bound(recorder)
      const { confirmations } = recorder.service
      const member = confirmations ? await confirmed(recorder) : await signUp(recorder)
      const other = confirmations ? await confirmed(recorder, 'taken') : await signUp(recorder)
      const { challenge } = pkce()
      await call('address taken', 'PUT', '/user', { token: member.token, body: { email: other.email } })
      const next = newEmail(recorder, 'new email')
      await call('ask', 'PUT', '/user', { token: member.token, body: { email: next, ...challenge } })
      const before = await mailTo(recorder, member.email, confirmations ? 2 : 1)
      const after = await mailTo(recorder, next)
      await call('user while it waits', 'GET', '/user', { token: member.token })
      await call('first link', 'POST', '/verify', { body: { type: 'email_change', token_hash: before.hash } })
      await call('second link', 'POST', '/verify', { body: { type: 'email_change', token_hash: after.hash } })
      await call('second link again', 'POST', '/verify', {
        body: { type: 'email_change', token_hash: after.hash },
      })
      await call('sign-in by the new address', 'POST', '/token?grant_type=password', {
        body: { email: next, password },
      })
    },
  },
  {
    name: 'confirmation',
    confirmations: true,
    async run(recorder) {
      const { call } = bound(recorder)
      const email = newEmail(recorder)
      const body = { email, password, data: { username: 'Contract' }, ...pkce().challenge }
      await call('sign-up', 'POST', '/signup', { body })
      let late = await recorder.callAtOnce('sign-up again at once', 'POST', '/signup', { body })
      await call('sign-in before it is confirmed', 'POST', '/token?grant_type=password', {
        body: { email, password },
      })
      await call('sign-in before it is confirmed, wrong password', 'POST', '/token?grant_type=password', {
        body: { email, password: 'another' },
      })
      await mailPause()
      await call('sign-up again', 'POST', '/signup', { body })
      const resend = { body: { type: 'signup', email } }
      late += await recorder.callAtOnce('ask for another mail at once', 'POST', '/resend', resend)
      await mailPause()
      await call('ask for another mail', 'POST', '/resend', resend)
      await call('ask for another mail, unknown address', 'POST', '/resend', {
        body: { type: 'signup', email: newEmail(recorder, 'other') },
      })
      const mail = await mailTo(recorder, email, 3 + late)
      await call('link', 'POST', '/verify', { body: { type: 'email', token_hash: mail.hash } })
      await call('link again', 'POST', '/verify', { body: { type: 'email', token_hash: mail.hash } })
      await call('sign-up, address taken', 'POST', '/signup', { body })
      await call('ask for another mail, confirmed', 'POST', '/resend', resend)
      const second = newEmail(recorder, 'second')
      await recorder.send('POST', '/signup', { body: { ...body, email: second } })
      const { code } = await mailTo(recorder, second)
      await call('code', 'POST', '/verify', { body: { type: 'email', email: second, token: code } })
    },
  },
  {
    name: 'second factor',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const member = await signUp(recorder)
      const { token } = member
      const enrol = { factor_type: 'totp', friendly_name: 'My phone', issuer: 'Goodblock' }
      const enrolled = await call('enrol', 'POST', '/factors', { token, body: enrol })
      const { id, totp } = enrolled.body
      recorder.hide(totp.secret, 'secret')
      const app = authenticator(totp.secret)
      await call('enrol, the same name', 'POST', '/factors', { token, body: enrol })
      const again = await recorder.send('POST', '/factors', {
        token,
        body: { ...enrol, friendly_name: 'My other phone' },
      })
      const elsewhere = await signIn(recorder, member.email)
      const challenge = await call('challenge', 'POST', `/factors/${id}/challenge`, { token, body: {} })
      const open = { challenge_id: challenge.body.id }
      await call('wrong code', 'POST', `/factors/${id}/verify`, {
        token,
        body: { ...open, code: app.wrong() },
      })
      await call('malformed code', 'POST', `/factors/${id}/verify`, { token, body: { ...open, code: '12' } })
      await call('no code', 'POST', `/factors/${id}/verify`, { token, body: { ...open, code: '' } })
      const raised = await call('verify', 'POST', `/factors/${id}/verify`, {
        token,
        body: { ...open, code: await app.code() },
      })
      const high = raised.body.access_token
      await call('refresh by the token from before', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: member.refresh },
      })
      await call('user on another device', 'GET', '/user', { token: elsewhere.token })
      await call('verify, the same challenge again', 'POST', `/factors/${id}/verify`, {
        token: high,
        body: { ...open, code: await app.code() },
      })
      await call('verify, an unknown challenge', 'POST', `/factors/${id}/verify`, {
        token: high,
        body: { challenge_id: randomUUID(), code: '123456' },
      })
      await call('user with a factor', 'GET', '/user', { token: high })
      await call('refresh', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: raised.body.refresh_token },
      })
      await call('an enrolment that was left', 'POST', `/factors/${again.body.id}/challenge`, {
        token: high,
        body: {},
      })
      const low = await signIn(recorder, member.email)
      await call('sign-in with a factor', 'POST', '/token?grant_type=password', {
        body: { email: member.email, password },
      })
      await call('enrol another by the password alone', 'POST', '/factors', {
        token: low.token,
        body: { ...enrol, friendly_name: 'Second' },
      })
      await call('new password by the password alone', 'PUT', '/user', {
        token: low.token,
        body: { password: 'another password' },
      })
      await call('new address by the password alone', 'PUT', '/user', {
        token: low.token,
        body: { email: newEmail(recorder, 'new email') },
      })
      await call('remove by the password alone', 'DELETE', `/factors/${id}`, { token: low.token })
      await call('an unknown factor', 'POST', `/factors/${randomUUID()}/challenge`, { token: high, body: {} })
      await call('a malformed factor', 'POST', '/factors/none/challenge', { token: high, body: {} })
      await call('enrol a phone', 'POST', '/factors', {
        token: high,
        body: { factor_type: 'phone', friendly_name: 'Phone', phone: '+491700000000' },
      })
      await call('enrol something else', 'POST', '/factors', {
        token: high,
        body: { factor_type: 'none', friendly_name: 'None' },
      })
      await call('remove', 'DELETE', `/factors/${id}`, { token: high })
      await call('remove again', 'DELETE', `/factors/${id}`, { token: high })
      await call('user after removal', 'GET', '/user', { token: high })
      await call('refresh after removal', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: raised.body.refresh_token },
      })
    },
  },
  {
    name: 'second factor after an e-mailed link',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const member = await signUp(recorder)
      const enrolled = await recorder.send('POST', '/factors', {
        token: member.token,
        body: { factor_type: 'totp', friendly_name: 'My phone' },
      })
      const app = authenticator(enrolled.body.totp.secret)
      const prove = async (token: string, name?: string) => {
        const path = `/factors/${enrolled.body.id}`
        const { body } = await recorder.send('POST', `${path}/challenge`, { token, body: {} })
        const options = { token, body: { challenge_id: body.id, code: await app.code() } }
        return name
          ? call(name, 'POST', `${path}/verify`, options)
          : recorder.send('POST', `${path}/verify`, options)
      }
      await prove(member.token)
      await recorder.send('POST', '/recover', { body: { email: member.email } })
      const { hash } = await mailTo(recorder, member.email)
      const { body } = await call('recovery link', 'POST', '/verify', {
        body: { type: 'recovery', token_hash: hash },
      })
      await call('new password by the link alone', 'PUT', '/user', {
        token: body.access_token,
        body: { password: 'another password' },
      })
      const raised = await prove(body.access_token, 'verify after the link')
      await call('new password', 'PUT', '/user', {
        token: raised.body.access_token,
        body: { password: 'another password' },
      })
    },
  },
  {
    name: 'wallet',
    confirmations: false,
    async run(recorder) {
      const { call } = bound(recorder)
      const { siteUrl } = recorder.service
      recorder.hide(new URL(siteUrl).host, 'site')
      const wallet = privateKeyToAccount(generatePrivateKey())
      recorder.hide(wallet.address, 'address')
      recorder.hide(wallet.address.toLowerCase(), 'lower-case address')
      const signed = async (changes: object = {}, tamper = '') => {
        const message = createSiweMessage({
          address: wallet.address,
          domain: new URL(siteUrl).host,
          uri: siteUrl,
          version: '1',
          chainId: 56,
          nonce: generateSiweNonce(),
          statement: 'Sign in to Goodblock.',
          issuedAt: new Date(),
          ...changes,
        })
        const signature = await wallet.signMessage({ message })
        return { chain: 'ethereum', message: message + tamper, signature, gotrue_meta_security: {} }
      }
      const signedInLowerCase = async () => {
        const message = (await signed()).message.replace(wallet.address, wallet.address.toLowerCase())
        const signature = await wallet.signMessage({ message })
        return { chain: 'ethereum', message, signature, gotrue_meta_security: {} }
      }
      const path = '/token?grant_type=web3'
      const minutes = (count: number) => new Date(Date.now() + count * 60_000)
      const message = await signed()
      const { body } = await call('sign-in', 'POST', path, { body: message })
      await call('the same message again', 'POST', path, { body: message })
      await call('sign-in again', 'POST', path, { body: await signed() })
      await call('user', 'GET', '/user', { token: body.access_token })
      await call('refresh', 'POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: body.refresh_token },
      })
      await call('enrol a factor', 'POST', '/factors', {
        token: body.access_token,
        body: { factor_type: 'totp', friendly_name: 'My phone', issuer: 'Goodblock' },
      })
      await call('wrong signature', 'POST', path, {
        body: { ...(await signed()), signature: (await signed()).signature },
      })
      await call('malformed signature', 'POST', path, { body: { ...(await signed()), signature: '0x12' } })
      await call('another site', 'POST', path, {
        body: await signed({ domain: 'elsewhere.example', uri: 'https://elsewhere.example' }),
      })
      await call('issued long ago', 'POST', path, { body: await signed({ issuedAt: minutes(-30) }) })
      await call('issued in the future', 'POST', path, { body: await signed({ issuedAt: minutes(30) }) })
      await call('expired', 'POST', path, {
        body: await signed({ issuedAt: minutes(-5), expirationTime: minutes(-1) }),
      })
      await call('expired before it was issued', 'POST', path, {
        body: await signed({ expirationTime: minutes(-1) }),
      })
      await call('an address in lower case', 'POST', path, { body: await signedInLowerCase() })
      await call('not valid yet', 'POST', path, { body: await signed({ notBefore: minutes(5) }) })
      await call('another chain', 'POST', path, { body: await signed({ chainId: 1 }) })
      await call('an unsupported kind of chain', 'POST', path, {
        body: { ...(await signed()), chain: 'tezos' },
      })
      await call('short message', 'POST', path, { body: { ...(await signed()), message: 'short' } })
      await call('no such message', 'POST', path, {
        body: { ...(await signed()), message: 'Nothing that EIP-4361 knows. '.repeat(5) },
      })
    },
  },
]

/** Signs up a new member, opens the emailed link to confirm the email address, and signs in. */
async function confirmed(recorder: Recorder, name = 'email'): Promise<Member> {
  const email = newEmail(recorder, name)
  await recorder.send('POST', '/signup', { body: { email, password, data: { username: 'Contract' } } })
  const { hash } = await mailTo(recorder, email)
  await recorder.send('POST', '/verify', { body: { type: 'email', token_hash: hash } })
  return signIn(recorder, email)
}

function bound(recorder: Recorder) {
  return { call: recorder.call.bind(recorder) }
}
