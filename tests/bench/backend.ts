import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { kinds } from '../../app/platform/live/protocol.ts'
import { selected } from '../support/selection.ts'
import { newSigningKey, signToken } from '../support/strict-auth.ts'

/** A backend in memory that responds after `delay`, and validates nothing; other tests do. */
export interface Backend {
  url: string
  /** Milliseconds before each response. */
  delay: number
  /** If true, every open connection and every new connection is closed. */
  down: boolean
  /** The method and path of each request, such as 'GET /rest/v1/profiles', in order. */
  requests: string[]
  close(): Promise<void>
}

export const member = {
  id: 'b0b0b0b0-0000-4000-8000-000000000001',
  email: 'member@example.org',
  password: 'a password',
}

const totals = {
  treasury_usd: '184250.75',
  donated_usd: '61400.00',
  donated_elsewhere_usd: '0.00',
  dreams_funded_usd: '12350.00',
  tax_usd: '240000.00',
  gifts_usd: '17100.77',
  pool_gifts_usd: '1399.98',
  other_in_usd: '0.00',
  returned_usd: '0.00',
  costs_usd: '500.00',
  other_out_usd: '0.00',
  spent_usd: '36000.00',
  waiting_usd: '25400.00',
  received_usd: '258500.75',
  paid_usd: '48850.00',
  transactions_count: 412,
  verified_count: 409,
  pending_count: 3,
  disputed_count: 0,
  unvalued_count: 0,
  as_of: '2026-11-20T22:59:56.819+00:00',
}
const pools = impactPools.map(({ slug }) => ({
  slug,
  total_usd: '20466.66',
  donations_usd: '20000.00',
  gifts_usd: '466.66',
  direct_usd: '0.00',
  spent_usd: '12000.00',
  left_usd: '8466.66',
  pending_count: 1,
  disputed_count: 0,
  unvalued_count: 0,
  last_donation_at: '2026-11-18T10:00:00+00:00',
  helping: null,
  helping_at: null,
  helping_source: null,
  pictured_text: null,
  pictured_at: null,
  pictured_links: null,
}))
const payments = impactPools.map(({ slug }, at) => ({
  id: 412 - at,
  occurred_at: `2026-11-${18 - at}T10:00:00+00:00`,
  account: slug,
  pool_slug: slug,
  amount_usd: '1250.00',
  token_amount: null,
  token_symbol: null,
  token_decimals: null,
  note: 'Forty school desks',
  is_named: false,
}))
const profile = {
  username: 'A member',
  wallet_address: null,
  proven_wallet_address: null,
  avatar_path: null,
  operator_handle: null,
}
const ownPools = ['active', 'completed', 'draft'].map((status, id) => ({
  id,
  title: `Pool ${id}`,
  description: 'A well for a village',
  status,
  current_amount: '1250.00',
  goal_amount: '5000.00',
}))
const sum = {
  count: 0,
  verified_count: 0,
  pending_count: 0,
  disputed_count: 0,
  unvalued_count: 0,
  goal_count: 0,
  received_usd: '0',
  moved_usd: '0',
  paid_usd: '0',
  months: [],
  uses: {},
  exact: true,
}
const status = {
  chain_id: null,
  block_number: null,
  block_time: null,
  scanned_at: null,
  unread_count: 0,
  unread: [],
}
const unchanged = Object.fromEntries(kinds.map((kind) => [kind, '']))
/** An announced payment to a goal. */
const order = {
  ...{ id: 1, state: 'announced', revision: 0, account: 'treasury', type: 'dream', pool_slug: null },
  ...{ recipient: 'goal', recipient_account: 'goal-abcdefgh', recipient_name: null, chain_id: 56 },
  ...{
    from_address: `0x${'6'.repeat(40)}`,
    to_address: `0x${'6'.repeat(40)}`,
    token_address: `0x${'6'.repeat(40)}`,
  },
  ...{ token_amount: '500000000000000000000', token_symbol: 'USDT', token_decimals: 18, amount_usd: null },
  ...{ purpose: 'Desks for a school', statement: null, approved_by: 'ada', approved_second: 'bob' },
  ...{ announced_at: '2026-11-18T10:00:00+00:00', due_at: '2100-11-19T10:00:00+00:00' },
  ...{ expires_at: '2100-11-26T10:00:00+00:00', moved_at: '2026-11-18T10:00:00+00:00', log_index: 9 },
  ...{ taken_by: null, stopped_by: null, stop_reason_hash: null, stop_reason: null, tx_hash: null },
  ...{ transaction_id: null, paid_at: null, is_removed: false, standing: null, occasion: null },
}
const rows: Record<string, unknown> = {
  published_orders: [order],
  ledger_totals: [totals],
  arrival_totals: [
    {
      ...{
        wallet_usd: '31204.00',
        mail_usd: '4100.00',
        print_usd: '0.00',
        no_usd: '0.00',
        asked_usd: '2300.00',
      },
      ...{ not_asked_usd: '5408.00', answered_count: 12, no_count: 0, asked_count: 3, not_asked_count: 9 },
      unvalued_count: 0,
    },
  ],
  pool_totals: pools,
  profiles: [profile],
  fundme_pools: ownPools,
  ledger_status: [status],
  published_cause_payments: payments,
  // The value is not an array, because the function returns a single value.
  'rpc/sum_transactions': sum,
}

/** `signing` is the algorithm of the tokens: the worker verifies ES256 itself, and HS256 through the service. */
export async function startBackend(signing: 'ES256' | 'HS256'): Promise<Backend> {
  const key = newSigningKey()
  const user = {
    id: member.id,
    email: member.email,
    aud: 'authenticated',
    role: 'authenticated',
    app_metadata: { provider: 'email' },
    user_metadata: {},
    identities: [],
    factors: [],
    created_at: '2026-01-01T00:00:00Z',
  }

  function newSession() {
    const issued = Math.floor(Date.now() / 1000)
    const lifetime = 24 * 3600
    const claims = {
      iss: `${backend.url}/auth/v1`,
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: issued }],
      sub: member.id,
      email: member.email,
      session_id: member.id,
      iat: issued,
      exp: issued + lifetime,
    }
    return {
      access_token: signToken(claims, key, signing === 'HS256' ? { alg: 'HS256', kid: undefined } : {}),
      refresh_token: 'refresh',
      token_type: 'bearer',
      expires_in: lifetime,
      expires_at: issued + lifetime,
      user,
    }
  }

  function answer(request: IncomingMessage, url: URL): unknown {
    const { pathname } = url
    if (pathname === '/auth/v1/.well-known/jwks.json')
      return { keys: signing === 'ES256' ? [key.published] : [] }
    if (pathname === '/auth/v1/token') return newSession()
    if (pathname === '/auth/v1/user') return user
    if (pathname === '/rest/v1/live_state') return unchanged
    const table = selected(rows[pathname.replace('/rest/v1/', '')] ?? [], url)
    const single = request.headers.accept?.includes('vnd.pgrst.object')
    return single && Array.isArray(table) ? table[0] : table
  }

  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://backend')
    backend.requests.push(`${request.method} ${url.pathname}`)
    request.resume()
    const send = () => {
      const body = JSON.stringify(answer(request, url))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
    }
    if (backend.delay) setTimeout(send, backend.delay)
    else send()
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    if (backend.down) return socket.destroy()
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let down = false
  const backend: Backend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delay: 0,
    get down() {
      return down
    },
    set down(value) {
      down = value
      if (down) for (const socket of sockets) socket.destroy()
    },
    requests: [],
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return backend
}
