import type { RouteConfigEntry } from '@remix-run/route-config'
import { shareInput } from '../../app/acts/forms/fields.ts'
import { splitNames } from '../../app/ledger/split.ts'
import routes from '../../app/routes.ts'

/** A form as a page of this site sends it. */
export interface Form {
  /** The path to which the form is sent. */
  action: string
  intent: string | null
  /** The fields that a rejected form keeps. */
  kept: string[]
  /** The fields that a rejected form does not keep: passwords, codes, hidden fields. */
  dropped: string[]
  /** Whether the form's page requires sign-in. */
  members?: boolean
  /** Whether the form's page requires an operator. */
  operators?: boolean
  /** Whether the test adds the member's id to the form, so that the code after the id check runs. */
  authored?: boolean
}

const form = (action: string, more: Partial<Form> = {}): Form => ({
  ...{ action, intent: null, kept: [], dropped: [] },
  ...more,
})

/** The forms of each route. The suite fails if a route with an action has no entry here. */
export const forms: Record<string, Form[]> = {
  '/arrived': [
    form(`/arrived?token=${'a'.repeat(64)}`, { dropped: ['words', 'name', 'answer', 'seen'] }),
    form(`/arrived?token=${'a'.repeat(64)}`, { intent: 'withdraw' }),
  ],
  '/arrived/never': [form('/arrived/never')],
  '/transparency/:id/arrived': [
    form('/transparency/1/arrived', {
      intent: 'sign',
      dropped: ['answer', 'words', 'salt', 'time', 'text', 'signature'],
    }),
  ],
  '/auth': [
    form('/auth', { intent: 'sign-in', kept: ['email'], dropped: ['password'] }),
    form('/auth?mode=sign-up&redirectTo=%2Fdashboard', {
      intent: 'sign-up',
      kept: ['email', 'username'],
      dropped: ['password'],
    }),
  ],
  '/auth/code': [
    form('/auth/code', { intent: 'ask', kept: ['email'] }),
    form('/auth/code?step=mail', { intent: 'enter', dropped: ['code'] }),
    form('/auth/code?step=mail', { intent: 'again' }),
  ],
  '/auth/confirm': [form('/auth/confirm', { dropped: ['token_hash', 'type', 'purpose', 'new_email'] })],
  '/auth/continue': [form('/auth/continue')],
  '/auth/factor': [form('/auth/factor', { dropped: ['factorId', 'code', 'challengeId'], members: true })],
  '/auth/forgot': [form('/auth/forgot', { intent: 'ask', kept: ['email'] })],
  '/auth/implicit': [
    form('/auth/implicit', {
      dropped: ['page', 'access_token', 'refresh_token', 'token_type', 'expires_in', 'expires_at'],
    }),
  ],
  '/auth/new-password': [form('/auth/new-password', { dropped: ['newPassword'], members: true })],
  '/auth/sign-out': [form('/auth/sign-out')],
  '/auth/wallet': [form('/auth/wallet', { dropped: ['message', 'signature'] })],
  '/dashboard': [
    form('/dashboard?edit=profile', {
      intent: 'update-profile',
      kept: ['username', 'walletAddress'],
      dropped: ['member'],
      members: true,
    }),
  ],
  '/dashboard/picture': [
    form('/dashboard/picture', { intent: 'remove-picture', dropped: ['member', 'picture'], members: true }),
  ],
  '/dashboard/wallets': [
    form('/dashboard/wallets', { dropped: ['message', 'signature'], members: true }),
    form('/dashboard/wallets', { intent: 'revoke', dropped: ['address'], members: true }),
  ],
  '/dashboard/wallets/by-hand': [
    form('/dashboard/wallets/by-hand', {
      dropped: ['member', 'goal', 'address', 'message', 'signature'],
      members: true,
    }),
  ],
  '/dashboard/account': [
    form('/dashboard/account', {
      intent: 'change-email',
      kept: ['email'],
      dropped: ['member'],
      members: true,
    }),
    form('/dashboard/account', {
      intent: 'change-password',
      dropped: ['currentPassword', 'newPassword'],
      members: true,
    }),
    form('/dashboard/account', { intent: 'end-others', members: true }),
  ],
  '/dashboard/account/delete': [
    form('/dashboard/account/delete', { dropped: ['member', 'currentPassword'], members: true }),
  ],
  '/dashboard/account/factor': [
    form('/dashboard/account/factor', { intent: 'enrol', kept: ['name'], members: true }),
    form('/dashboard/account/factor', {
      intent: 'verify',
      dropped: ['factorId', 'code', 'challengeId', 'name', 'qr', 'secret', 'uri'],
      members: true,
    }),
    form('/dashboard/account/factor', { intent: 'remove', dropped: ['factorId'], members: true }),
  ],
  '/dashboard/draft': [
    form('/dashboard/draft', { dropped: ['member', 'username', 'walletAddress'], members: true }),
  ],
  '/dashboard/follows': [
    form('/dashboard/follows', { intent: 'follow', dropped: ['topic'], members: true }),
    form('/dashboard/follows', { intent: 'leave', dropped: ['topic'], members: true }),
    form('/dashboard/follows', { intent: 'leave-all', dropped: ['topic'], members: true }),
  ],
  '/dashboard/goals/:id': ['', 'delete', 'take-back', 'end', 'update'].map((intent) => ({
    action: '/dashboard/goals/00000000-0000-4000-8000-000000000002?new',
    intent: intent || null,
    kept: [],
    dropped: [
      ...[
        'member',
        'version',
        'title',
        'byline',
        'category',
        'target',
        'days',
        'plan',
        'story',
        'links',
        'wallet',
      ],
      ...['picture', 'picture_text', 'picture_remove', 'next', 'reason', 'text', 'report'],
    ],
    members: true,
    authored: true,
  })),
  '/dashboard/goals/:id/check': [
    form('/dashboard/goals/00000000-0000-4000-8000-000000000002/check', {
      dropped: ['member', 'version', 'may', 'public', 'report'],
      members: true,
      authored: true,
    }),
  ],
  '/donate': [form('/donate?to=treasury&token=BNB', { kept: ['amount'] })],
  // The same code generates the forms of the other kinds from the same table.
  '/operator/new/:kind': [
    form('/operator/new/statement', {
      kept: ['link', 'text', 'author', 'posted', 'action', 'captured', 'tx', 'reason'],
      dropped: ['act', 'version'],
      operators: true,
    }),
    form('/operator/new/update', {
      kept: ['text', 'links', 'dated', 'helping', 'helping_source', 'picture_alt', 'reason'],
      dropped: [
        ...['act', 'version', 'pool', 'picture', 'picture_path', 'picture_width', 'picture_height'],
        ...['picture_remove', 'person', 'consent'],
      ],
      operators: true,
    }),
    form('/operator/new/split-vote', {
      kept: ['days', 'reason'],
      dropped: [
        ...['act', 'version'],
        ...splitNames.flatMap((part) => ['least', 'most'].map((name) => shareInput(name, part))),
      ],
      operators: true,
    }),
  ],
  '/operator/arrivals': [form('/operator/arrivals', { dropped: ['payment'], operators: true })],
  '/operator/payments/stop': [form('/operator/payments/stop', { dropped: ['order'], operators: true })],
  '/operator/acts/:id': [
    form('/operator/acts/00000000-0000-4000-8000-000000000000', { intent: 'submit', operators: true }),
  ],
  '/operator/goals/:goal': [
    form('/operator/goals/goal-zzzzzzzz', {
      dropped: ['kind', 'act', 'version', 'reason', 'hide', 'speaks'],
      operators: true,
    }),
  ],
  '/operator/posts/:id': [form('/operator/posts/1', { dropped: ['reason'], operators: true })],
  '/language': [form('/language', { dropped: ['lang', 'to'] })],
  '/follow': [form('/follow', { dropped: ['topic', 'email'] })],
  '/follow/:step': ['confirm', 'leave', 'keep'].map((step) => ({
    action: `/follow/${step}?token=${'0'.repeat(64)}&topic=education`,
    intent: null,
    kept: [],
    dropped: [],
  })),
  '/giveback': [
    form('/giveback', { dropped: ['title', 'category', 'targetAmount', 'description', 'image', 'proof'] }),
  ],
  '/transparency/wallets/sign': [
    form('/transparency/wallets/sign', { dropped: ['wallet', 'address', 'text', 'signature'] }),
  ],
  '/giveback/:campaign': [form('/giveback/school')],
  '/giveback/:campaign/vote': [
    form('/giveback/goal-zzzzzzzz/vote', {
      dropped: ['member', 'choice', 'address', 'text', 'signature'],
      members: true,
      authored: true,
    }),
  ],
  '/giveback/:campaign/problem': [
    form('/giveback/goal-zzzzzzzz/problem', {
      dropped: ['member', 'reason', 'text'],
      members: true,
      authored: true,
    }),
  ],
}

export interface Place {
  path: string
  file: string
}

/** Every path in app/routes.ts, with its module. */
export const places: Place[] = walk(routes, '')

function walk(entries: RouteConfigEntry[], above: string): Place[] {
  return entries.flatMap(({ path, file, children }) => {
    const whole = path ? `${above}/${path}` : above || '/'
    return [{ path: whole, file }, ...walk(children ?? [], whole === '/' ? '' : whole)]
  })
}

/** The query parameters that pages read, and unknown ones. */
export const parameters = ['mode', 'redirectTo', 'step', 'edit', 'remove', 'token_hash', 'type', 'purpose']
  .concat([
    'code',
    'error',
    'error_code',
    'error_description',
    'sb',
    'address',
    'choice',
    'wallet',
    'before',
    'after',
    'from',
    'to',
  ])
  .concat([
    'pool',
    'index',
    'token',
    'topic',
    'amount',
    'fault',
    '_routes',
    '_data',
    'p',
    'x',
    '__proto__',
    'constructor',
    '',
  ])
