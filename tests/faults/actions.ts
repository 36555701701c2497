import { randomUUID } from 'node:crypto'
import { TOTP } from 'otpauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { writeSignedAnswer } from '../../app/arrival/signed-answer.ts'
import { act } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { transaction } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'
import { readVote, signBallot } from '../support/votes.ts'
import { aGoal, aPost, type Lane, newMember, operatorsOf, ownGoal, publicGoal, readMail } from './lane.ts'

/** A prepared form, and a visitor who may send it. */
export interface Form {
  visitor: Visitor
  path: string
  fields: Record<string, string>
  /** Whether the response reports success. */
  done: (page: Page) => boolean
  /** The entered texts that the page or a cookie must keep. */
  typed?: string[]
}

export interface Action {
  /** The path of the route's module. */
  route: string
  name: string
  /** Success depends only on the status of the response from the service, not on its body. */
  blind?: true
  /** The action ends the session even if the backend fails. */
  ends?: true
  /** The action ends the session if it succeeds. */
  endsWhenDone?: true
  /** Each try needs a newly prepared form. */
  once?: true
  /** The action makes no call to the backend. */
  alone?: true
  prepare(lane: Lane): Promise<Form>
}

/** `flags`: what is true of the action. */
function action(
  route: string,
  name: string,
  ...more: [Flags, Action['prepare']] | [Action['prepare']]
): Action {
  const [flags, prepare] = more.length === 2 ? more : [{}, more[0]]
  return { route, name, ...flags, prepare }
}
type Flags = Omit<Action, 'route' | 'name' | 'prepare'>

const account = '/dashboard/account'
const factor = '/dashboard/account/factor'
const mailbox = '/auth/code?step=mail'

const leads = (to: string) => (page: Page) => page.status === 303 && page.location === to
const signsIn =
  (to = '/dashboard') =>
  (page: Page) =>
    leads(to)(page) && Boolean(page.cookies[sessionCookie] ?? page.cookies[`${sessionCookie}.0`])

/** A verified payment to a new wallet: the id of its row, its name in acts, and the wallet. */
async function aPayment({ backend }: Lane) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const paid = transaction({
    ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
    ...{ to_address: wallet.address.toLowerCase(), occurred_at: new Date(Date.now() - 60_000).toISOString() },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([paid])])
  const [row] = await backend.sql<{ id: string }>(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select id, 'verified', 9, '0x' || repeat('9', 64), 20 from public.transactions where tx_hash = $1
     returning transaction_id::text as id`,
    [paid.tx_hash],
  )
  return { row: Number(row?.id), payment: `56/${paid.tx_hash}/${paid.ordinal ?? 0}`, wallet }
}

let count = 0
/** A unique word. */
const word = (about: string) => `${about}-${++count}`

/** Returns a new member, with a visitor who has requested the email for signing in. */
async function awaitingMail(lane: Lane) {
  const member = await newMember(lane)
  const visitor = new Visitor(lane.site.url)
  await visitor.post('/auth/code', { intent: 'ask', email: member.email })
  return { ...member, visitor }
}

/** Returns a visitor who has opened a recovery link. */
export async function recovering(lane: Lane): Promise<Visitor> {
  const { email } = await newMember(lane)
  const visitor = new Visitor(lane.site.url)
  await visitor.post('/auth/forgot', { email })
  const fields = { token_hash: (await readMail(lane, email)).token, type: 'recovery', purpose: 'recovery' }
  await visitor.post(`/auth/confirm?${new URLSearchParams(fields)}`, fields)
  return visitor
}

const codeOf = (secret: string, next = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + next * 30_000 })

async function enrolling(lane: Lane) {
  const member = await newMember(lane)
  const { data } = await member.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' })
  if (!data) throw new Error('no factor was enrolled')
  return { ...member, factorId: data.id, totp: data.totp }
}

/** A member who has entered the second factor's code. `before`: a visitor with the session before it. */
async function withFactor(lane: Lane) {
  const member = await enrolling(lane)
  const { factorId, totp, session } = member
  const { data, error } = await member.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
  if (error) throw error
  const visitor = new Visitor(lane.site.url).carry(sessionCookie, data)
  return { ...member, visitor, before: new Visitor(lane.site.url).carry(sessionCookie, session) }
}

let posts = 0

/** Returns the fields of a new statement that an operator types. */
function statement() {
  const name = word('statement')
  return {
    link: `https://x.com/cz/status/${name}`,
    text: name,
    author: 'CZ',
    posted: '2025-11-20T18:30:00.000Z',
    action: 'We gave.',
  }
}

/** Adds a new text to the log, and returns the text's hash. */
async function aText({ backend }: Lane) {
  const text = word('A text')
  const given = { address: `0x${randomUUID().replaceAll('-', '').padStart(40, '0')}`, name: text }
  await act(backend, 'name', null, given)
  return backend.sql<{ hash: string }>('select hash from private.log_texts where text = $1', [text])
}

/** Returns another browser with the same cookies. */
function copyOf({ site }: Lane, visitor: Visitor | undefined): Visitor {
  const copy = new Visitor(site.url)
  for (const [name, value] of visitor?.jar ?? []) copy.jar.set(name, value)
  return copy
}

/** Adds a follower. Returns the token in the links of their emails. */
async function follower(lane: Lane) {
  const address = `${word('follower')}@example.com`
  await lane.backend.sql(`select private.add_topic($1, 'education', 'en')`, [address])
  const [row] = await lane.backend.sql<{ token: string }>(
    'select token from private.followers where address = $1',
    [address],
  )
  return row?.token ?? ''
}

/** The actions of every route. Without a fault, `done` is true for the response to the prepared form. */
export const actions: Action[] = [
  action('follow/route.tsx', 'follow', async (lane) => {
    const email = `${word('reader')}@example.com`
    const fields = { topic: 'education', email }
    const done = leads('/follow?topic=education&step=mail')
    return { visitor: new Visitor(lane.site.url), path: '/follow', fields, done, typed: [email] }
  }),
  action('follow.link/route.tsx', 'leave', { once: true }, async (lane) => {
    const path = `/follow/leave?token=${await follower(lane)}&topic=all`
    const done = ({ status, html }: Page) => status === 200 && html.includes('we deleted your address')
    return { visitor: new Visitor(lane.site.url), path, fields: {}, done }
  }),
  action('dashboard.follows.tsx', 'follow as a member', async (lane) => {
    const { visitor } = await newMember(lane)
    const fields = { intent: 'follow', topic: 'education' }
    return { visitor, path: '/dashboard/follows', fields, done: leads('/dashboard/follows') }
  }),
  action('auth/route.tsx', 'sign-in', async (lane) => {
    const { email, password } = await newMember(lane)
    const fields = { intent: 'sign-in', email, password }
    return { visitor: new Visitor(lane.site.url), path: '/auth', fields, done: signsIn(), typed: [email] }
  }),
  action('auth/route.tsx', 'sign-up', async (lane) => {
    const email = `${word('new')}@example.com`
    const username = word('Typed name')
    const fields = { intent: 'sign-up', email, password: 'a new secret', username }
    const path = '/auth?mode=sign-up'
    return { visitor: new Visitor(lane.site.url), path, fields, done: signsIn(), typed: [email, username] }
  }),
  action('auth.code.tsx', 'ask', { blind: true }, async (lane) => {
    const email = `${word('code')}@example.com`
    const fields = { intent: 'ask', email }
    const visitor = new Visitor(lane.site.url)
    return { visitor, path: '/auth/code', fields, done: leads(mailbox), typed: [email] }
  }),
  action('auth.code.tsx', 'again', { blind: true }, async (lane) => {
    const { visitor } = await awaitingMail(lane)
    return { visitor, path: mailbox, fields: { intent: 'again' }, done: leads(mailbox) }
  }),
  action('auth.code.tsx', 'enter', async (lane) => {
    const { visitor, email } = await awaitingMail(lane)
    const { code } = await readMail(lane, email)
    return { visitor, path: mailbox, fields: { intent: 'enter', code }, done: signsIn(), typed: [code] }
  }),
  action('auth.forgot.tsx', 'recovery', { blind: true }, async (lane) => {
    const { email } = await newMember(lane)
    const visitor = new Visitor(lane.site.url)
    return { visitor, path: '/auth/forgot', fields: { email }, done: leads(mailbox), typed: [email] }
  }),
  action('auth.confirm.tsx', 'confirm', async (lane) => {
    const { email } = await awaitingMail(lane)
    const { token } = await readMail(lane, email)
    const fields = { token_hash: token, type: 'email', purpose: 'sign-in' }
    const path = `/auth/confirm?${new URLSearchParams(fields)}`
    return { visitor: new Visitor(lane.site.url), path, fields, done: signsIn(), typed: [token] }
  }),
  action('auth.implicit.ts', 'implicit', async (lane) => {
    const { session } = await newMember(lane)
    return {
      visitor: new Visitor(lane.site.url),
      path: '/auth/implicit',
      fields: fragmentOf(session),
      done: ({ html }) => html.includes('/auth/continue'),
    }
  }),
  action('auth.continue.tsx', 'continue', async (lane) => {
    const { session } = await newMember(lane)
    const visitor = new Visitor(lane.site.url)
    await visitor.post('/auth/implicit', fragmentOf(session))
    return { visitor, path: '/auth/continue', fields: {}, done: signsIn() }
  }),
  action('auth.new-password.tsx', 'new password', async (lane) => {
    const visitor = await recovering(lane)
    const done = ({ location }: Page) => location === '/dashboard' || location === account
    return { visitor, path: '/auth/new-password', fields: { newPassword: 'another secret' }, done }
  }),
  action('language.ts', 'language', { alone: true }, async (lane) => {
    const visitor = new Visitor(lane.site.url)
    return { visitor, path: '/language', fields: { lang: 'en', to: '/about' }, done: leads('/about') }
  }),
  action('auth.sign-out.ts', 'sign out', { ends: true }, async (lane) => {
    const { visitor } = await newMember(lane)
    return { visitor, path: '/auth/sign-out', fields: {}, done: leads('/') }
  }),
  action('auth.wallet.ts', 'wallet', { once: true }, async (lane) => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const visitor = new Visitor(lane.site.url)
    const { html } = await visitor.get(`/auth/wallet?address=${wallet.address}`)
    const { message } = JSON.parse(html) as { message: string }
    const fields = { message, signature: await wallet.signMessage({ message }) }
    // The backend accepts messages for one site URL, and rejects those of the other sites here.
    const done = (page: Page) => signsIn()(page) || page.html.includes('signed for another site')
    return { visitor, path: '/auth/wallet', fields, done }
  }),
  action('auth.factor.tsx', 'challenge', async (lane) => {
    const { before, factorId, totp } = await withFactor(lane)
    const fields = {
      factorId,
      get code() {
        return codeOf(totp.secret, 1)
      },
    }
    return { visitor: before, path: '/auth/factor', fields, done: signsIn() }
  }),
  action('dashboard/route.tsx', 'profile', async (lane) => {
    const { visitor, id } = await newMember(lane)
    const username = word('Typed name')
    const fields = { intent: 'update-profile', member: id, username, walletAddress: '' }
    const done = leads('/dashboard')
    return { visitor, path: '/dashboard?edit=profile', fields, done, typed: [username] }
  }),
  action('dashboard.draft.ts', 'draft', { alone: true }, async (lane) => {
    const { visitor, id } = await newMember(lane)
    const username = word('Typed name')
    const fields = { member: id, username, walletAddress: '' }
    const done = ({ status }: Page) => status === 204
    return { visitor, path: '/dashboard/draft', fields, done, typed: [username] }
  }),
  action('dashboard.picture.ts', 'removal of the picture', async (lane) => {
    const { visitor, id } = await newMember(lane)
    const fields = { intent: 'remove-picture', member: id }
    return { visitor, path: '/dashboard/picture', fields, done: leads('/dashboard') }
  }),
  action('dashboard.wallets.ts', 'revocation of a wallet', async (lane) => {
    const { visitor } = await newMember(lane)
    const fields = { intent: 'revoke', address: `0x${'1'.repeat(40)}` }
    return { visitor, path: '/dashboard/wallets', fields, done: leads('/dashboard') }
  }),
  action('dashboard.wallets.by-hand.tsx', 'proof of a wallet by hand', { once: true }, async (lane) => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const { visitor, id } = await newMember(lane)
    const path = '/dashboard/wallets/by-hand'
    const page = documentOf(await visitor.get(`${path}?address=${wallet.address}`))
    const message = page.querySelector('textarea')?.text ?? ''
    const signature = await wallet.signMessage({ message })
    const fields = { member: id, goal: '', address: wallet.address, message, signature }
    return { visitor, path, fields, done: leads('/dashboard') }
  }),
  action(
    'dashboard.account.delete.tsx',
    'deletion of the account',
    { once: true, endsWhenDone: true },
    async (lane) => {
      const { visitor, id } = await newMember(lane)
      return { visitor, path: '/dashboard/account/delete', fields: { member: id }, done: leads('/') }
    },
  ),
  action('dashboard.account/route.tsx', 'e-mail change', async (lane) => {
    const { visitor, id } = await newMember(lane)
    const email = `${word('changed')}@example.com`
    const fields = { intent: 'change-email', member: id, email }
    return { visitor, path: account, fields, done: leads(account), typed: [email] }
  }),
  action('dashboard.account/route.tsx', 'password change', async (lane) => {
    const { visitor, password } = await newMember(lane)
    const fields = { intent: 'change-password', currentPassword: password, newPassword: 'another secret' }
    return { visitor, path: account, fields, done: leads(account) }
  }),
  action('dashboard.account/route.tsx', 'end others', { blind: true }, async (lane) => {
    const { visitor } = await newMember(lane)
    return { visitor, path: account, fields: { intent: 'end-others' }, done: leads(account) }
  }),
  action('dashboard.account/route.tsx', 'end all', { ends: true }, async (lane) => {
    const { visitor } = await newMember(lane)
    return { visitor, path: account, fields: { intent: 'end-all' }, done: leads('/') }
  }),
  action('dashboard.account.factor/route.tsx', 'enrol', async (lane) => {
    const { visitor } = await newMember(lane)
    const name = word('Phone')
    const done = ({ status, html }: Page) => status === 200 && html.includes('otpauth://')
    return { visitor, path: factor, fields: { intent: 'enrol', name }, done, typed: [name] }
  }),
  action('dashboard.account.factor/route.tsx', 'verify', async (lane) => {
    const { visitor, factorId, totp } = await enrolling(lane)
    const { secret, uri } = totp
    const fields = {
      ...{ intent: 'verify', factorId, name: 'My phone', secret, uri },
      // Computed when the form is sent: in a run of every cell, the form waits longer than a code lasts.
      get code() {
        return codeOf(secret)
      },
    }
    return { visitor, path: factor, fields, done: leads(factor), typed: [secret] }
  }),
  action('dashboard.account.factor/route.tsx', 'remove', { blind: true }, async (lane) => {
    const { visitor, factorId } = await withFactor(lane)
    const path = `${factor}?remove=${factorId}`
    return { visitor, path, fields: { intent: 'remove', factorId }, done: leads(factor) }
  }),
  action('donate/route.tsx', 'another amount', { alone: true }, async (lane) => {
    const visitor = new Visitor(lane.site.url)
    const done = ({ status, html }: Page) => status === 200 && html.includes('Send 0.05 BNB')
    return { visitor, path: '/donate?to=treasury&token=BNB', fields: { amount: '0.05' }, done }
  }),
  action('dashboard.goal/route.tsx', 'draft of a goal', async (lane) => {
    const { visitor, id: member } = await newMember(lane)
    const path = `/dashboard/goals/${randomUUID()}`
    const title = word('Typed title')
    const fields = { member, version: '', title, story: `The story of ${title}` }
    return { visitor, path: `${path}?new`, fields, done: leads(`${path}#save`), typed: [title] }
  }),
  action('dashboard.goal/route.tsx', 'new version of a draft', async (lane) => {
    const { visitor, id: member } = await newMember(lane)
    const path = `/dashboard/goals/${randomUUID()}`
    await visitor.post(`${path}?new`, { member, title: 'A title' })
    const story = word('The story')
    const fields = { member, version: '0', title: 'A title', story }
    return { visitor, path, fields, done: leads(`${path}#save`), typed: [story] }
  }),
  action('dashboard.goal.check.tsx', 'submission of a goal', async (lane) => {
    const { visitor, id: member } = await newMember(lane)
    const path = `/dashboard/goals/${randomUUID()}`
    await visitor.post(`${path}?new`, { member, title: 'A title' })
    const fields = { member, version: '0', may: 'yes', public: 'yes', report: 'yes' }
    // The draft has only a title.
    const done = ({ status, html }: Page) => status === 400 && html.includes('Something is still missing')
    return { visitor, path: `${path}/check`, fields, done }
  }),
  ...(
    [
      ['take-back', 'submitted'],
      ['delete', 'draft'],
      ['end', 'open'],
      ['update', 'open'],
    ] as const
  ).map(
    ([intent, stage]): Action => ({
      route: 'dashboard.goal/route.tsx',
      name: `${intent} of a goal`,
      once: true,
      async prepare(lane) {
        const { visitor, id: member } = await newMember(lane)
        const path = `/dashboard/goals/${await ownGoal(lane, member, stage)}`
        const [reason, text] = [word('We have enough'), word('Ten coats came')]
        const fields = {
          ...{ member, intent, ...(intent === 'end' && { reason }) },
          ...(intent === 'update' && { text, links: '', picture_text: '' }),
        }
        const typed = intent === 'end' ? [reason] : intent === 'update' ? [text] : []
        return { visitor, path, fields, done: leads(intent === 'delete' ? '/dashboard' : path), typed }
      },
    }),
  ),
  action('operator.new/route.tsx', 'draft of an act', async (lane) => {
    const [operator] = await operatorsOf(lane)
    const fields = { act: randomUUID(), ...statement() }
    const done = leads(`/operator/acts/${fields.act}`)
    const visitor = copyOf(lane, operator?.visitor)
    return { visitor, path: '/operator/new/statement', fields, done, typed: [fields.text] }
  }),
  action('operator.payments.stop.tsx', 'stop of a payment', { once: true }, async (lane) => {
    const [operator, second] = await operatorsOf(lane)
    const [from, to, token] = ['7', '3', 'e'].map((digit) => `0x${digit.repeat(40)}`) as [
      string,
      string,
      string,
    ]
    const people: [string, string] = [`${operator?.handle}`, `${second?.handle}`]
    const number = await insertOrder(lane.backend, { chain: 56, from, to, token, amount: 5n, people })
    const visitor = copyOf(lane, operator?.visitor)
    const path = '/operator/payments/stop'
    return { visitor, path, fields: { order: `${number}` }, done: leads(`${path}?order=${number}`) }
  }),
  action('operator.post.tsx', 'dismissal of a post', { once: true }, async (lane) => {
    const [operator] = await operatorsOf(lane)
    const id = 1_000_000 + ++posts
    await aPost(lane, id)
    const visitor = copyOf(lane, operator?.visitor)
    return { visitor, path: `/operator/posts/${id}`, fields: { reason: 'spam' }, done: leads('/operator') }
  }),
  action('operator.goal/route.tsx', 'decision about a goal', { once: true }, async (lane) => {
    const [operator] = await operatorsOf(lane)
    await aGoal(lane, 'goal-zzzzzzzz')
    const [id, reason] = [randomUUID(), word('Say who you are')]
    const fields = { kind: 'goal-return', act: id, version: '1', reason }
    const done = leads(`/operator/acts/${id}`)
    const visitor = copyOf(lane, operator?.visitor)
    return { visitor, path: '/operator/goals/goal-zzzzzzzz', fields, done, typed: [reason] }
  }),
  ...(['submit', 'drop', 'confirm'] as const).map(
    (intent): Action => ({
      route: 'operator.act/route.tsx',
      name: `${intent} of an act`,
      once: true,
      async prepare(lane) {
        const [first, second] = await operatorsOf(lane)
        const id = randomUUID()
        const call = async (name: 'save_act' | 'submit_act', given: object) => {
          const { error } = (await first?.client.rpc(name, given as never)) ?? {}
          if (error) throw error
        }
        const [text] = intent === 'confirm' ? await aText(lane) : []
        const draft = text
          ? { kind: 'withdrawal', subject: text.hash, arguments: {}, reason: 'It is a test.' }
          : { kind: 'statement', subject: null, arguments: statement(), reason: null }
        await call('save_act', { act: id, ...draft })
        if (intent === 'confirm') await call('submit_act', { act: id })
        const path = `/operator/acts/${id}`
        const visitor = copyOf(lane, (intent === 'confirm' ? second : first)?.visitor)
        return { visitor, path, fields: { intent }, done: leads(path) }
      },
    }),
  ),
  action('donate/route.tsx', 'another amount for a goal', async (lane) => {
    const visitor = new Visitor(lane.site.url)
    const done = ({ status, html }: Page) => status === 200 && html.includes('Send 35.5 USDT')
    const path = `/donate?to=${publicGoal}&token=USDT`
    return { visitor, path, fields: { amount: '35.5' }, done, typed: ['35.5'] }
  }),
  action('giveback.problem.tsx', 'report of a goal', { once: true }, async (lane) => {
    const { visitor, id } = await newMember(lane)
    const path = `/giveback/${publicGoal}/problem`
    const text = word('It is not their story')
    const fields = { member: id, reason: 'not-their-story', text }
    return { visitor, path, fields, done: leads(`${path}?sent=1`), typed: [text] }
  }),
  action('giveback.vote/route.tsx', 'ballot', { once: true }, async (lane) => {
    const { visitor, id } = await newMember(lane)
    const path = `/giveback/${publicGoal}/vote`
    const wallet = privateKeyToAccount(generatePrivateKey())
    const { id: vote, leaf } = (await readVote(lane.backend, publicGoal)) ?? {}
    const { message, signature } = await signBallot(
      wallet,
      { goal: publicGoal, id: Number(vote), leaf: String(leaf) },
      'support',
    )
    const fields = { member: id, choice: 'support', address: wallet.address, text: message, signature }
    return { visitor, path, fields, done: leads(path), typed: [signature] }
  }),
  action('arrived.tsx', 'answer of a recipient', { once: true }, async (lane) => {
    const token = randomUUID().replaceAll('-', '').padEnd(64, '0')
    const { row } = await aPayment(lane)
    await lane.backend.sql("select private.make_ask($1, 'print', $2, $3)", [
      ...[row, token],
      (await operatorsOf(lane))[0]?.handle,
    ])
    const words = word('It came a week late')
    const done = ({ status, html }: Page) => status === 200 && html.includes('Thank you.')
    const fields = { seen: '0', answer: 'but', words, name: '' }
    const visitor = new Visitor(lane.site.url)
    return { visitor, path: `/arrived?token=${token}`, fields, done, typed: [words] }
  }),
  action('arrived.never.tsx', 'end of questions, by an unknown link', async (lane) => {
    const visitor = new Visitor(lane.site.url)
    const done = ({ status }: Page) => status === 410
    return { visitor, path: `/arrived/never?token=${'0'.repeat(64)}`, fields: {}, done }
  }),
  action('transparency.arrived/route.tsx', 'signed answer of a recipient', { once: true }, async (lane) => {
    const { row, payment, wallet } = await aPayment(lane)
    const time = `${new Date().toISOString().slice(0, 19)}Z`
    const text = writeSignedAnswer({
      ...{ payment, row, wallet: wallet.address.toLowerCase(), answer: 'yes', wordsHash: null, time },
    })
    const signature = await wallet.signMessage({ message: text })
    const fields = { intent: 'sign', answer: 'yes', words: '', salt: '0'.repeat(64), time, signature }
    const done = ({ status, location }: Page) =>
      status === 303 && (location ?? '').startsWith('/arrived?token=')
    const visitor = new Visitor(lane.site.url)
    return { visitor, path: `/transparency/${row}/arrived`, fields, done, typed: [signature] }
  }),
  action('operator.arrivals.tsx', 'link to print', { once: true }, async (lane) => {
    const { payment } = await aPayment(lane)
    const done = ({ status, html }: Page) => status === 200 && html.includes('/arrived?token=')
    const visitor = copyOf(lane, (await operatorsOf(lane))[0]?.visitor)
    return { visitor, path: '/operator/arrivals', fields: { payment }, done }
  }),
  action('transparency.wallets.sign/route.tsx', 'shown key', { once: true }, async (lane) => {
    const key = privateKeyToAccount(generatePrivateKey())
    const reading = {
      ...{ chain_id: 56, wallet: `0x${'a'.repeat(40)}`, control: 'safe', version: '1.4.1', threshold: 1 },
      ...{ owners: [key.address.toLowerCase()], modules: [], guard: null, handler: null, block_number: 9 },
    }
    await lane.backend.sql('select public.record_controls($1)', [JSON.stringify([reading])])
    const visitor = new Visitor(lane.site.url)
    const path = '/transparency/wallets/sign'
    const page = await visitor.get(`${path}?wallet=treasury&address=${key.address}`)
    const text = documentOf(page).querySelector('textarea[readonly]')?.text ?? ''
    const signature = await key.signMessage({ message: text })
    const fields = { wallet: 'treasury', address: key.address, text, signature }
    return { visitor, path, fields, done: leads(`${path}?wallet=treasury`), typed: [signature] }
  }),
  // While FundMe is open, no page sends these forms.
  ...['giveback', `giveback/${publicGoal}`].map((path): Action => {
    const route = path === 'giveback' ? 'giveback/route.tsx' : 'giveback.campaign/route.tsx'
    return {
      route,
      name: path,
      alone: true,
      async prepare(lane) {
        const visitor = new Visitor(lane.site.url)
        return { visitor, path: `/${path}`, fields: { title: 'A well' }, done: leads(`/${path}`) }
      },
    }
  }),
]

function fragmentOf(session: { access_token: string; refresh_token: string; expires_in: number }) {
  const { access_token, refresh_token, expires_in } = session
  return { access_token, refresh_token, expires_in: `${expires_in}`, token_type: 'bearer', page: '/about' }
}
