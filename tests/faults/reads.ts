import { readFileSync } from 'node:fs'
import type { RouteConfigEntry } from '@remix-run/route-config'
import routes from '../../app/routes.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'
import { recovering } from './actions.ts'
import { aGoal, aPost, type Lane, type Member, newMember, operatorsOf, publicGoal } from './lane.ts'

export interface Read {
  /** The path of the route's module. */
  route: string
  name: string
  path: string
  /** `warm`: signed out, after an earlier request. `cold`: an unreadable session, so without cache. */
  who: 'cold' | 'warm' | 'member'
  visitor(lane: Lane, member: Member): Promise<Visitor>
}

/** URLs for each route with a parameter. The suite fails if a route with a parameter has no entry. */
const examples: Record<string, string[]> = {
  'voting/:pool': ['/voting/education'],
  'transparency/:id': ['/transparency/1'],
  'giveback/:campaign': [`/giveback/${publicGoal}`],
  'giveback/:campaign/problem': [`/giveback/${publicGoal}/problem`],
  'giveback/:campaign/vote': [`/giveback/${publicGoal}/vote`],
  'giveback/:campaign/votes': [`/giveback/${publicGoal}/votes`],
  'giveback/:campaign/votes.ndjson': [`/giveback/${publicGoal}/votes.ndjson`],
  'embed/:pool': ['/embed/education'],
  'embed/goal/:goal': [`/embed/goal/${publicGoal}`],
  'donate/:hash': [`/donate/0x${'1'.repeat(64)}`],
  'transparency/log/tile/*': ['/transparency/log/tile/0/000.p/1'],
  'transparency/entries/:index/proof': ['/transparency/entries/0/proof'],
  'transparency/:id/arrived': ['/transparency/1/arrived'],
  'transparency/:id/proof': ['/transparency/1/proof'],
  'dashboard/goals/:id': ['/dashboard/goals/00000000-0000-4000-8000-000000000002?new'],
  'dashboard/goals/:id/check': ['/dashboard/goals/00000000-0000-4000-8000-000000000002/check'],
  'operator/new/:kind': ['/operator/new/statement'],
  'operator/goals/:goal': ['/operator/goals/goal-zzzzzzzz'],
  'operator/posts/:id': ['/operator/posts/999999'],
  'operator/acts/:id': ['/operator/acts/00000000-0000-4000-8000-000000000000'],
  'follow/:step': [`/follow/leave?token=${'0'.repeat(64)}&topic=education`],
  'pictures/:bucket/:folder/:file': [
    `/pictures/avatars/00000000-0000-4000-8000-000000000000/${'0'.repeat(64)}.webp`,
  ],
  '*': ['/unknown'],
}

/** Further URLs of a route, keyed by the path of its module. */
const more: Record<string, string[]> = {
  'voting/route.tsx': ['/voting?before=1700000000000000-9'],
  'transparency/route.tsx': [
    '/transparency?type=donation&from=2025-01-01',
    `/transparency?pool=${publicGoal}`,
  ],
  'donate/route.tsx': [
    '/donate?to=treasury&token=BNB',
    '/donate?to=treasury&token=USDT&amount=20',
    `/donate?to=${publicGoal}&token=USDT&amount=20`,
  ],
  'auth/route.tsx': ['/auth?mode=sign-up'],
  'auth.confirm.tsx': ['/auth/confirm?token_hash=abc&type=email'],
  'auth.wallet.ts': [`/auth/wallet?address=0x${'1'.repeat(40)}`],
  'dashboard/route.tsx': ['/dashboard?edit=profile', '/dashboard.data'],
  'pictures.ts': [`/pictures/goals/00000000-0000-4000-8000-000000000000/${'0'.repeat(64)}.webp`],
  'dashboard.wallets.ts': [`/dashboard/wallets?address=0x${'1'.repeat(40)}`],
  'dashboard.wallets.by-hand.tsx': [`/dashboard/wallets/by-hand?address=0x${'1'.repeat(40)}`],
  'dashboard.account/route.tsx': ['/dashboard/account.data'],
  'dashboard.account.factor/route.tsx': ['/dashboard/account/factor.data'],
}

export interface Route {
  /** The path of the route's module, and the same without the folder of its domain. */
  file: string
  module: string
  path: string
}

/** Every route of the site, with its complete path. */
export const allRoutes: Route[] = flatten(await routes, '')

function flatten(entries: RouteConfigEntry[], parent: string): Route[] {
  return entries.flatMap((entry) => {
    const path = [parent, entry.path].filter(Boolean).join('/')
    const own = { file: `app/${entry.file}`, module: entry.file.replace(/^\w+\/routes\//, ''), path }
    return [own, ...flatten(entry.children ?? [], path)]
  })
}

/** Returns the URLs of a route, or null if the route has a parameter but no entry in `examples`. */
export function addressesOf({ module, path }: Route): string[] | null {
  const own = /[:*]/.test(path) ? examples[path] : [`/${path}`]
  return own ? [...own, ...(more[module] ?? [])] : null
}

/** Returns whether the route has a page or a loader. */
function isRead({ file }: Route): boolean {
  return /^export (?:default|(?:async )?function loader|const loader)\b/m.test(readFileSync(file, 'utf8'))
}

const people: Pick<Read, 'who' | 'visitor'>[] = [
  { who: 'warm', visitor: async ({ site }) => new Visitor(site.url) },
  {
    who: 'cold',
    async visitor({ site }) {
      const visitor = new Visitor(site.url)
      // The session is unreadable, so the cache neither serves nor stores the page.
      visitor.jar.set(sessionCookie, 'unreadable')
      return visitor
    },
  },
  {
    who: 'member',
    async visitor({ site }, { session }) {
      return new Visitor(site.url).carry(sessionCookie, session)
    },
  },
]

/** An act that every operator may see. */
const waitingAct = '00000000-0000-4000-8000-000000000001'

/** Every URL with every kind of visitor, and two pages with a visitor for whom they have content. */
export const reads: Read[] = allRoutes
  .filter(isRead)
  .flatMap((route) =>
    (addressesOf(route) ?? []).flatMap((path) =>
      people.map(({ who, visitor }) => ({
        route: route.module,
        name: `${path} (${who})`,
        path,
        who,
        visitor,
      })),
    ),
  )
  .concat(
    [
      ['operator/route.tsx', '/operator'],
      ['operator.acts.tsx', '/operator/acts'],
      ['operator.post.tsx', '/operator/posts/999999'],
      ['operator.complaints.tsx', '/operator/complaints'],
      ['operator.goal/route.tsx', '/operator/goals/goal-zzzzzzzz'],
      ['operator.new/route.tsx', '/operator/new/withdrawal?q=a'],
      ['operator.payments.stop.tsx', '/operator/payments/stop'],
      ['operator.new/route.tsx', '/operator/new/order?from=treasury'],
      ['operator.act/route.tsx', `/operator/acts/${waitingAct}`],
    ].map(([route = '', path = '']) => ({
      route,
      name: `${path} (operator)`,
      path,
      who: 'member',
      async visitor(lane) {
        const [operator] = await operatorsOf(lane)
        await lane.backend.sql(
          `insert into public.operator_acts (id, kind, by, subject, state, submitted_at)
           values ($1, 'operator-end', $2, $2, 'waiting', now()) on conflict do nothing`,
          [waitingAct, operator?.handle],
        )
        await aPost(lane, 999_999)
        await aGoal(lane, 'goal-zzzzzzzz')
        // Each read gets a copy of the cookies, because the page may change them.
        const visitor = new Visitor(lane.site.url)
        for (const [name, value] of operator?.visitor.jar ?? []) visitor.jar.set(name, value)
        return visitor
      },
    })),
  )
  .concat([
    {
      route: 'auth.new-password.tsx',
      name: '/auth/new-password (recovering)',
      path: '/auth/new-password',
      who: 'member',
      visitor: recovering,
    },
    {
      route: 'auth.continue.tsx',
      name: '/auth/continue (offered)',
      path: '/auth/continue',
      who: 'member',
      async visitor(lane) {
        const { session } = await newMember(lane)
        const visitor = new Visitor(lane.site.url)
        const { access_token, refresh_token } = session
        await visitor.post('/auth/implicit', { access_token, refresh_token, page: '/' })
        return visitor
      },
    },
  ])
