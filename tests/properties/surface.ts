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

/** The forms of each route. The suite fails if a route with an action has no entry here. */
export const forms: Record<string, Form[]> = {
  '/arrived': [
    {
      action: `/arrived?token=${'a'.repeat(64)}`,
      intent: null,
      kept: [],
      dropped: ['words', 'name', 'answer', 'seen'],
    },
    { action: `/arrived?token=${'a'.repeat(64)}`, intent: 'withdraw', kept: [], dropped: [] },
  ],
  '/arrived/never': [{ action: '/arrived/never', intent: null, kept: [], dropped: [] }],
  '/transparency/:id/arrived': [
    {
      action: '/transparency/1/arrived',
      intent: 'sign',
      kept: [],
      dropped: ['answer', 'words', 'salt', 'time', 'text', 'signature'],
    },
  ],
  '/auth': [
    { action: '/auth', intent: 'sign-in', kept: ['email'], dropped: ['password'] },
    {
      action: '/auth?mode=sign-up&redirectTo=%2Fdashboard',
      intent: 'sign-up',
      kept: ['email', 'username'],
      dropped: ['password'],
    },
  ],
  '/auth/code': [
    { action: '/auth/code', intent: 'ask', kept: ['email'], dropped: [] },
    { action: '/auth/code?step=mail', intent: 'enter', kept: [], dropped: ['code'] },
    { action: '/auth/code?step=mail', intent: 'again', kept: [], dropped: [] },
  ],
  '/auth/confirm': [
    {
      action: '/auth/confirm',
      intent: null,
      kept: [],
      dropped: ['token_hash', 'type', 'purpose', 'new_email'],
    },
  ],
  '/auth/continue': [{ action: '/auth/continue', intent: null, kept: [], dropped: [] }],
  '/auth/factor': [
    {
      action: '/auth/factor',
      intent: null,
      kept: [],
      dropped: ['factorId', 'code', 'challengeId'],
      members: true,
    },
  ],
  '/auth/forgot': [{ action: '/auth/forgot', intent: 'ask', kept: ['email'], dropped: [] }],
  '/auth/implicit': [
    {
      action: '/auth/implicit',
      intent: null,
      kept: [],
      dropped: ['page', 'access_token', 'refresh_token', 'token_type', 'expires_in', 'expires_at'],
    },
  ],
  '/auth/new-password': [
    { action: '/auth/new-password', intent: null, kept: [], dropped: ['newPassword'], members: true },
  ],
  '/auth/sign-out': [{ action: '/auth/sign-out', intent: null, kept: [], dropped: [] }],
  '/auth/wallet': [{ action: '/auth/wallet', intent: null, kept: [], dropped: ['message', 'signature'] }],
  '/dashboard': [
    {
      action: '/dashboard?edit=profile',
      intent: 'update-profile',
      kept: ['username', 'walletAddress'],
      dropped: ['member'],
      members: true,
    },
  ],
  '/dashboard/picture': [
    {
      action: '/dashboard/picture',
      intent: 'remove-picture',
      kept: [],
      dropped: ['member', 'picture'],
      members: true,
    },
  ],
  '/dashboard/wallets': [
    {
      action: '/dashboard/wallets',
      intent: null,
      kept: [],
      dropped: ['message', 'signature'],
      members: true,
    },
    { action: '/dashboard/wallets', intent: 'revoke', kept: [], dropped: ['address'], members: true },
  ],
  '/dashboard/wallets/by-hand': [
    {
      action: '/dashboard/wallets/by-hand',
      intent: null,
      kept: [],
      dropped: ['member', 'goal', 'address', 'message', 'signature'],
      members: true,
    },
  ],
  '/dashboard/account': [
    {
      action: '/dashboard/account',
      intent: 'change-email',
      kept: ['email'],
      dropped: ['member'],
      members: true,
    },
    {
      action: '/dashboard/account',
      intent: 'change-password',
      kept: [],
      dropped: ['currentPassword', 'newPassword'],
      members: true,
    },
    { action: '/dashboard/account', intent: 'end-others', kept: [], dropped: [], members: true },
  ],
  '/dashboard/account/delete': [
    {
      action: '/dashboard/account/delete',
      intent: null,
      kept: [],
      dropped: ['member', 'currentPassword'],
      members: true,
    },
  ],
  '/dashboard/account/factor': [
    { action: '/dashboard/account/factor', intent: 'enrol', kept: ['name'], dropped: [], members: true },
    {
      action: '/dashboard/account/factor',
      intent: 'verify',
      kept: [],
      dropped: ['factorId', 'code', 'challengeId', 'name', 'qr', 'secret', 'uri'],
      members: true,
    },
    { action: '/dashboard/account/factor', intent: 'remove', kept: [], dropped: ['factorId'], members: true },
  ],
  '/dashboard/draft': [
    {
      action: '/dashboard/draft',
      intent: null,
      kept: [],
      dropped: ['member', 'username', 'walletAddress'],
      members: true,
    },
  ],
  '/dashboard/follows': [
    { action: '/dashboard/follows', intent: 'follow', kept: [], dropped: ['topic'], members: true },
    { action: '/dashboard/follows', intent: 'leave', kept: [], dropped: ['topic'], members: true },
    { action: '/dashboard/follows', intent: 'leave-all', kept: [], dropped: ['topic'], members: true },
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
    {
      action: '/dashboard/goals/00000000-0000-4000-8000-000000000002/check',
      intent: null,
      kept: [],
      dropped: ['member', 'version', 'may', 'public', 'report'],
      members: true,
      authored: true,
    },
  ],
  '/donate': [{ action: '/donate?to=treasury&token=BNB', intent: null, kept: ['amount'], dropped: [] }],
  // The same code generates the forms of the other kinds from the same table.
  '/operator/new/:kind': [
    {
      action: '/operator/new/statement',
      intent: null,
      kept: ['link', 'text', 'author', 'posted', 'action', 'captured', 'tx', 'reason'],
      dropped: ['act', 'version'],
      operators: true,
    },
    {
      action: '/operator/new/update',
      intent: null,
      kept: ['text', 'links', 'dated', 'helping', 'helping_source', 'picture_alt', 'reason'],
      dropped: [
        ...['act', 'version', 'pool', 'picture', 'picture_path', 'picture_width', 'picture_height'],
        ...['picture_remove', 'person', 'consent'],
      ],
      operators: true,
    },
    {
      action: '/operator/new/split-vote',
      intent: null,
      kept: ['days', 'reason'],
      // An empty share becomes 0.
      dropped: [
        ...['act', 'version'],
        ...splitNames.flatMap((part) => ['least', 'most'].map((name) => shareInput(name, part))),
      ],
      operators: true,
    },
  ],
  '/operator/arrivals': [
    { action: '/operator/arrivals', intent: null, kept: [], dropped: ['payment'], operators: true },
  ],
  '/operator/payments/stop': [
    { action: '/operator/payments/stop', intent: null, kept: [], dropped: ['order'], operators: true },
  ],
  '/operator/acts/:id': [
    {
      action: '/operator/acts/00000000-0000-4000-8000-000000000000',
      intent: 'submit',
      kept: [],
      dropped: [],
      operators: true,
    },
  ],
  '/operator/goals/:goal': [
    {
      action: '/operator/goals/goal-zzzzzzzz',
      intent: null,
      kept: [],
      dropped: ['kind', 'act', 'version', 'reason', 'hide', 'speaks'],
      operators: true,
    },
  ],
  '/operator/posts/:id': [
    { action: '/operator/posts/1', intent: null, kept: [], dropped: ['reason'], operators: true },
  ],
  '/language': [{ action: '/language', intent: null, kept: [], dropped: ['lang', 'to'] }],
  '/follow': [{ action: '/follow', intent: null, kept: [], dropped: ['topic', 'email'] }],
  '/follow/:step': ['confirm', 'leave', 'keep'].map((step) => ({
    action: `/follow/${step}?token=${'0'.repeat(64)}&topic=education`,
    intent: null,
    kept: [],
    dropped: [],
  })),
  '/giveback': [
    {
      action: '/giveback',
      intent: null,
      kept: [],
      dropped: ['title', 'category', 'targetAmount', 'description', 'image', 'proof'],
    },
  ],
  '/transparency/wallets/sign': [
    {
      action: '/transparency/wallets/sign',
      intent: null,
      kept: [],
      dropped: ['wallet', 'address', 'text', 'signature'],
    },
  ],
  '/giveback/:campaign': [{ action: '/giveback/school', intent: null, kept: [], dropped: [] }],
  '/giveback/:campaign/vote': [
    {
      action: '/giveback/goal-zzzzzzzz/vote',
      intent: null,
      kept: [],
      dropped: ['member', 'choice', 'address', 'text', 'signature'],
      members: true,
      authored: true,
    },
  ],
  '/giveback/:campaign/problem': [
    {
      action: '/giveback/goal-zzzzzzzz/problem',
      intent: null,
      kept: [],
      dropped: ['member', 'reason', 'text'],
      members: true,
      authored: true,
    },
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
