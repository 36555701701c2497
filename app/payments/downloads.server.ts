import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { csvLine } from '../platform/downloads/csv'
import { toAtom } from '../platform/downloads/feed'
import { asFile } from '../platform/downloads/rows.server'
import { readState, refuse, respondWithEtag, unavailable } from '../platform/downloads/state.server'
import { brand } from '../platform/site'
import { formatTokens } from '../platform/tokens'
import { readOrderFilter } from './filter'
import { listOrders, type Order } from './orders.server'

/** Maximum number of orders in a file, newest first. A reader asks for older ones with `?before=`. */
const ordersPerFile = 999
/** Maximum number of orders in the feed, newest first. */
const ordersPerFeed = 50

/** The members of an order in the files, in this order. */
const columns = [
  ...['number', 'state', 'account', 'recipient', 'recipient_account', 'recipient_name', 'chain_id'],
  ...[
    'from_address',
    'to_address',
    'token_address',
    'token_symbol',
    'token_decimals',
    'token_amount',
    'type',
  ],
  ...[
    'pool',
    'purpose',
    'statement',
    'announced_at',
    'due_at',
    'expires_at',
    'approved_by',
    'approved_second',
    'taken_by',
  ],
  ...[
    'stopped_by',
    'stop_reason',
    'moved_at',
    'tx_hash',
    'transaction_id',
    'paid_at',
    'log_index',
    'standing',
  ],
]

/** An order as the files have it: its values for `columns`. Times are in UTC, amounts in base units. */
function toFacts(order: Order) {
  return {
    number: order.number,
    state: order.state,
    account: order.account,
    recipient: order.recipient,
    recipient_account: order.recipientAccount,
    recipient_name: order.recipientName,
    chain_id: order.chainId,
    from_address: order.fromAddress,
    to_address: order.toAddress,
    token_address: order.tokenAddress,
    token_symbol: order.tokens?.symbol ?? null,
    token_decimals: order.tokens?.decimals ?? null,
    token_amount: order.tokens ? `${order.tokens.amount}` : null,
    type: order.type,
    pool: order.poolSlug,
    purpose: order.purpose,
    statement: order.statement,
    announced_at: order.announcedAt.toISOString(),
    due_at: order.dueAt.toISOString(),
    expires_at: order.expiresAt.toISOString(),
    approved_by: order.approvedBy,
    approved_second: order.approvedSecond,
    taken_by: order.takenBy,
    stopped_by: order.stoppedBy,
    stop_reason: order.stopReason,
    moved_at: order.movedAt.toISOString(),
    tx_hash: order.txHash,
    transaction_id: order.transactionId,
    paid_at: order.paidAt?.toISOString() ?? null,
    log_index: order.logIndex,
    standing: order.standing,
  }
}

const formats = {
  csv: {
    file: { mediaType: 'text/csv; charset=utf-8; header=present', extension: 'csv' },
    size: ordersPerFile,
    write: (orders: Order[]) =>
      `\ufeff${csvLine(columns)}${orders.map((order) => csvLine(Object.values(toFacts(order)))).join('')}`,
  },
  json: {
    file: { mediaType: 'application/json; charset=utf-8', extension: 'json' },
    size: ordersPerFile,
    write: (orders: Order[]) => `${JSON.stringify({ orders: orders.map(toFacts) }, null, 1)}\n`,
  },
  atom: {
    file: null,
    size: ordersPerFeed,
    write: (orders: Order[], siteUrl: string, self: string) =>
      toAtom({
        self,
        page: `${siteUrl}/transparency/orders`,
        title: `${brand}: orders of payments`,
        description:
          'Every payment that two people or a standing order of theirs approved, and what became of it.',
        language: 'en',
        author: brand,
        updated: new Date(Math.max(...orders.map(({ movedAt }) => movedAt.getTime()), Date.UTC(2025, 0, 1))),
        checkpoint: null,
        entries: orders.map((order) => ({
          id: `${siteUrl}/transparency/orders#order-${order.number}`,
          url: `${siteUrl}/transparency/orders?before=${order.number + 1}#order-${order.number}`,
          title: `Order ${order.number}, ${order.state}: ${order.tokens ? formatTokens(order.tokens) : ''} to ${order.recipientName ?? order.recipientAccount ?? order.toAddress}`,
          external: order.statement,
          text: order.purpose ?? 'The purpose was withdrawn.',
          published: order.announcedAt,
          updated: order.movedAt,
        })),
      }),
  },
}

/** The newest orders that match the page's filter, as a file or a feed; with `?before=` only older ones. */
export async function answerOrders(
  { request, context }: LoaderFunctionArgs,
  format: keyof typeof formats,
): Promise<Response> {
  const data = context.publicData()
  const url = new URL(request.url)
  const { filter, before, valid } = readOrderFilter(url.searchParams)
  if (!valid) return refuse(['before must be the number of an order.'])
  const state = await readState(data)
  if (!state) return unavailable()
  const { file, size, write } = formats[format]
  const headers: Record<string, string> = file
    ? asFile(`${brand.toLowerCase()}-orders`, file)
    : { 'Content-Type': 'application/atom+xml; charset=utf-8' }
  return respondWithEtag({ request, limit: context.limit }, state, headers, async () => {
    const found = await listOrders(data, filter, before, size)
    if (!found) return unavailable()
    const { SITE_URL } = context.config
    return new Response(write(found.rows, SITE_URL, SITE_URL + url.pathname + url.search))
  })
}
