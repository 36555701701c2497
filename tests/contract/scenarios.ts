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
const byPassword = '/token?grant_type=password'
const byRefresh = '/token?grant_type=refresh_token'
const byCode = '/token?grant_type=pkce'

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
  const { body } = await recorder.send('POST', byPassword, {
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

interface Calls {
  call: Recorder['call']
  /** `call` of a POST with a JSON body. */
  post(name: string, path: string, body: unknown): ReturnType<Recorder['call']>
}

function scenario(
  name: string,
  needs: Omit<Scenario, 'name' | 'run'>,
  run: (recorder: Recorder, calls: Calls) => Promise<void>,
): Scenario {
  return {
    ...{ name, ...needs },
    run(recorder) {
      const call = recorder.call.bind(recorder)
      return run(recorder, { call, post: (title, path, body) => call(title, 'POST', path, { body }) })
    },
  }
}

export const scenarios: Scenario[] = [
  scenario('password', { confirmations: false }, async (recorder, { call, post }) => {
    const email = newEmail(recorder)
    const data = { username: 'Contract' }
    const signedUp = await post('sign-up', '/signup', { email, password, data })
    const token = signedUp.body.access_token
    await post('sign-up, address taken', '/signup', { email, password, data })
    await post('sign-up, short password', '/signup', {
      email: newEmail(recorder, 'other'),
      password: '12345',
    })
    await post('sign-up, password of 73 bytes', '/signup', {
      email: newEmail(recorder, 'other'),
      password: 'a'.repeat(73),
    })
    await post('sign-up, password of 37 characters in 74 bytes', '/signup', {
      email: newEmail(recorder, 'other'),
      password: 'é'.repeat(37),
    })
    await post('sign-up, no password', '/signup', { email: newEmail(recorder, 'other'), password: '' })
    await post('sign-up, no address', '/signup', { email: 'unknown', password })
    await post('sign-in', byPassword, { email, password })
    await post('sign-in, wrong password', byPassword, { email, password: 'another' })
    await post('sign-in, unknown address', byPassword, { email: newEmail(recorder, 'other'), password })
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
  }),
  scenario('api version', { confirmations: false }, async (recorder, { call, post }) => {
    const body = { email: newEmail(recorder), password }
    const path = byPassword
    await post('error with the version header', path, body)
    await call('error without the version header', 'POST', path, {
      body,
      headers: { 'X-Supabase-Api-Version': '' },
    })
    await post('a body that is no JSON', path, '{')
    await post('a body that is no object', path, 'null')
    await post('an unknown grant', '/token?grant_type=none', body)
  }),
  scenario('tokens', { confirmations: false }, async (recorder, { call, post }) => {
    const member = await signUp(recorder)
    await call('user, garbage for a token', 'GET', '/user', { token: 'garbage' })
    await call('user, a token of another key', 'GET', '/user', {
      token: `${member.token.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`,
    })
    await post('refresh', byRefresh, { refresh_token: member.refresh })
    await post('refresh, the same again', byRefresh, { refresh_token: member.refresh })
    await post('refresh, unknown', byRefresh, { refresh_token: 'unknownunkno' })
    await post('refresh, none', byRefresh, {})
    const other = await signIn(recorder, member.email)
    await call('sign-out, others', 'POST', '/logout?scope=others', { token: other.token })
    await call('user, signed out elsewhere', 'GET', '/user', { token: member.token })
    await post('refresh, signed out elsewhere', byRefresh, { refresh_token: member.refresh })
    await call('sign-out, local', 'POST', '/logout?scope=local', { token: other.token })
    await call('sign-out again', 'POST', '/logout?scope=local', { token: other.token })
    const last = await signIn(recorder, member.email)
    await call('sign-out, global', 'POST', '/logout?scope=global', { token: last.token })
    await post('refresh, signed out', byRefresh, { refresh_token: last.refresh })
    await post('exchange of an unknown code', byCode, {
      auth_code: randomUUID(),
      code_verifier: pkce().verifier,
    })
    await call('key set', 'GET', '/.well-known/jwks.json')
  }),
  scenario('magic link', { confirmations: false }, async (recorder, { post }) => {
    const { email } = await signUp(recorder)
    const body = { email, create_user: false, data: {}, code_challenge: null, code_challenge_method: null }
    await post('ask for a link', '/otp', body)
    const late = await recorder.callAtOnce('ask again at once', 'POST', '/otp', { body })
    await post('ask, unknown address', '/otp', { ...body, email: newEmail(recorder, 'other') })
    const mail = await mailTo(recorder, email, 1 + late)
    await post('wrong code', '/verify', {
      type: 'email',
      email,
      token: mail.code === '000000' ? '000001' : '000000',
    })
    await post('link', '/verify', { type: 'email', token_hash: mail.hash })
    await post('link again', '/verify', { type: 'email', token_hash: mail.hash })
    await mailPause()
    await recorder.send('POST', '/otp', { body })
    const { code } = await mailTo(recorder, email, 2 + late)
    const session = await post('code', '/verify', { type: 'email', email, token: code })
    await post('refresh after a code', byRefresh, { refresh_token: session.body.refresh_token })
    await post('code again', '/verify', { type: 'email', email, token: code })
    await post('unknown link', '/verify', { type: 'email', token_hash: 'f'.repeat(56) })
    await post('malformed code', '/verify', { type: 'email', email, token: '' })
  }),
  scenario(
    'code flow',
    {
      confirmations: false,
      notEmulated:
        'our templates link to the site, so the service’s own links, which lead to a code, are not used',
    },
    async (recorder, { call, post }) => {
      const { email } = await signUp(recorder)
      const { verifier, challenge } = pkce()
      await post('ask for a link', '/otp', { email, create_user: false, data: {}, ...challenge })
      const { hash } = await mailTo(recorder, email)
      const redirect = encodeURIComponent(`${recorder.service.siteUrl}/dashboard`)
      const followed = await call(
        'the service’s own link',
        'GET',
        `/verify?token=${hash}&type=magiclink&redirect_to=${redirect}`,
        { headers: { Authorization: '' } },
      )
      const code = new URL(followed.headers.get('location') ?? 'x:').searchParams.get('code')
      await post('exchange, wrong verifier', byCode, { auth_code: code, code_verifier: 'a'.repeat(60) })
      await post('exchange', byCode, { auth_code: code, code_verifier: verifier })
      await post('exchange again', byCode, { auth_code: code, code_verifier: verifier })
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
      await post('exchange after recovery', byCode, {
        auth_code: new URL(led.headers.get('location') ?? 'x:').searchParams.get('code'),
        code_verifier: recovery.verifier,
      })
    },
  ),
  scenario('recovery', { confirmations: false }, async (recorder, { call, post }) => {
    const { email } = await signUp(recorder)
    await post('ask', '/recover', { email })
    const late = await recorder.callAtOnce('ask again at once', 'POST', '/recover', { body: { email } })
    await post('ask, unknown address', '/recover', { email: newEmail(recorder, 'other') })
    const { hash } = await mailTo(recorder, email, 1 + late)
    const { body } = await post('link', '/verify', { type: 'recovery', token_hash: hash })
    await call('new password', 'PUT', '/user', {
      token: body.access_token,
      body: { password: 'another password' },
    })
    await post('refresh after recovery', byRefresh, { refresh_token: body.refresh_token })
    await mailPause()
    await recorder.send('POST', '/recover', { body: { email } })
    const { code } = await mailTo(recorder, email, 2 + late)
    await post('code', '/verify', { type: 'recovery', email, token: code })
  }),
  scenario('change of address', {}, async (recorder, { call, post }) => {
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
    await post('first link', '/verify', { type: 'email_change', token_hash: before.hash })
    await post('second link', '/verify', { type: 'email_change', token_hash: after.hash })
    await post('second link again', '/verify', { type: 'email_change', token_hash: after.hash })
    await post('sign-in by the new address', byPassword, { email: next, password })
  }),
  scenario('confirmation', { confirmations: true }, async (recorder, { call, post }) => {
    const email = newEmail(recorder)
    const body = { email, password, data: { username: 'Contract' }, ...pkce().challenge }
    await post('sign-up', '/signup', body)
    let late = await recorder.callAtOnce('sign-up again at once', 'POST', '/signup', { body })
    await post('sign-in before it is confirmed', byPassword, { email, password })
    await post('sign-in before it is confirmed, wrong password', byPassword, { email, password: 'another' })
    await mailPause()
    await post('sign-up again', '/signup', body)
    const resend = { body: { type: 'signup', email } }
    late += await recorder.callAtOnce('ask for another mail at once', 'POST', '/resend', resend)
    await mailPause()
    await call('ask for another mail', 'POST', '/resend', resend)
    await post('ask for another mail, unknown address', '/resend', {
      type: 'signup',
      email: newEmail(recorder, 'other'),
    })
    const mail = await mailTo(recorder, email, 3 + late)
    await post('link', '/verify', { type: 'email', token_hash: mail.hash })
    await post('link again', '/verify', { type: 'email', token_hash: mail.hash })
    await post('sign-up, address taken', '/signup', body)
    await call('ask for another mail, confirmed', 'POST', '/resend', resend)
    const second = newEmail(recorder, 'second')
    await recorder.send('POST', '/signup', { body: { ...body, email: second } })
    const { code } = await mailTo(recorder, second)
    await post('code', '/verify', { type: 'email', email: second, token: code })
  }),
  scenario('second factor', { confirmations: false }, async (recorder, { call, post }) => {
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
    await call('wrong code', 'POST', `/factors/${id}/verify`, { token, body: { ...open, code: app.wrong() } })
    await call('malformed code', 'POST', `/factors/${id}/verify`, { token, body: { ...open, code: '12' } })
    await call('no code', 'POST', `/factors/${id}/verify`, { token, body: { ...open, code: '' } })
    const raised = await call('verify', 'POST', `/factors/${id}/verify`, {
      token,
      body: { ...open, code: await app.code() },
    })
    const high = raised.body.access_token
    await post('refresh by the token from before', byRefresh, { refresh_token: member.refresh })
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
    await post('refresh', byRefresh, { refresh_token: raised.body.refresh_token })
    await call('an enrolment that was left', 'POST', `/factors/${again.body.id}/challenge`, {
      token: high,
      body: {},
    })
    const low = await signIn(recorder, member.email)
    await post('sign-in with a factor', byPassword, { email: member.email, password })
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
    await post('refresh after removal', byRefresh, { refresh_token: raised.body.refresh_token })
  }),
  scenario(
    'second factor after an e-mailed link',
    { confirmations: false },
    async (recorder, { call, post }) => {
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
      const { body } = await post('recovery link', '/verify', { type: 'recovery', token_hash: hash })
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
  ),
  scenario('wallet', { confirmations: false }, async (recorder, { call, post }) => {
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
    const { body } = await post('sign-in', path, message)
    await post('the same message again', path, message)
    await post('sign-in again', path, await signed())
    await call('user', 'GET', '/user', { token: body.access_token })
    await post('refresh', byRefresh, { refresh_token: body.refresh_token })
    await call('enrol a factor', 'POST', '/factors', {
      token: body.access_token,
      body: { factor_type: 'totp', friendly_name: 'My phone', issuer: 'Goodblock' },
    })
    await post('wrong signature', path, { ...(await signed()), signature: (await signed()).signature })
    await post('malformed signature', path, { ...(await signed()), signature: '0x12' })
    await post(
      'another site',
      path,
      await signed({ domain: 'elsewhere.example', uri: 'https://elsewhere.example' }),
    )
    await post('issued long ago', path, await signed({ issuedAt: minutes(-30) }))
    await post('issued in the future', path, await signed({ issuedAt: minutes(30) }))
    await post('expired', path, await signed({ issuedAt: minutes(-5), expirationTime: minutes(-1) }))
    await post('expired before it was issued', path, await signed({ expirationTime: minutes(-1) }))
    await post('an address in lower case', path, await signedInLowerCase())
    await post('not valid yet', path, await signed({ notBefore: minutes(5) }))
    await post('another chain', path, await signed({ chainId: 1 }))
    await post('an unsupported kind of chain', path, { ...(await signed()), chain: 'tezos' })
    await post('short message', path, { ...(await signed()), message: 'short' })
    await post('no such message', path, {
      ...(await signed()),
      message: 'Nothing that EIP-4361 knows. '.repeat(5),
    })
  }),
]

/** Signs up a new member, opens the emailed link to confirm the email address, and signs in. */
async function confirmed(recorder: Recorder, name = 'email'): Promise<Member> {
  const email = newEmail(recorder, name)
  await recorder.send('POST', '/signup', { body: { email, password, data: { username: 'Contract' } } })
  const { hash } = await mailTo(recorder, email)
  await recorder.send('POST', '/verify', { body: { type: 'email', token_hash: hash } })
  return signIn(recorder, email)
}
