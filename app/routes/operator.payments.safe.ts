import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { found, notFound, unlessOutage } from '~/auth/outage.server'
import { unverifiedPage } from '~/edge/error-page.server'
import { requireOperator } from '~/operator/guard.server'
import { listOrders, readOrderClock } from '~/orders/orders.server'
import { safeBatch } from '~/orders/safe-batch'
import { shownState } from '~/orders/states'
import { brand } from '~/site'
import { checksumAddress } from '~/wallet/address'

/** Maximum number of payments in one file. */
const mostPayments = 100

/** The file for Safe's Transaction Builder: one due order (`?order=`), or all due orders of a wallet (`?account=`). */
export function loader({ request, context }: LoaderFunctionArgs) {
  return unlessOutage(
    () => writeFile(request, context),
    () => unverifiedPage(context),
  )
}

async function writeFile(request: Request, context: AppLoadContext): Promise<Response> {
  const url = new URL(request.url)
  await requireOperator(context, '/operator/payments')
  const account = url.searchParams.get('account')
  const wanted = url.searchParams.get('order')
  const { rows } = found(await listOrders(context.data(), { group: 'coming', account }, null, mostPayments))
  const now = readOrderClock(context.config)
  const due = rows
    .filter((order) => shownState(order, now) === 'due' && (account || `${order.number}` === wanted))
    .reverse()
  const [first] = due
  if (!first) throw notFound()
  const numbers = due.map(({ number }) => number)
  const batch = safeBatch({
    chainId: first.chainId,
    safe: checksumAddress(first.fromAddress),
    name: `${brand}: orders ${numbers.join(', ')}`,
    description: due.map(({ number, purpose }) => `Order ${number}: ${purpose ?? ''}`).join('\n'),
    createdAt: now,
    calls: due.map(({ tokenAddress, toAddress, tokens }) => ({
      token: checksumAddress(tokenAddress),
      method: 'transfer',
      inputs: [
        ['recipient', 'address', checksumAddress(toAddress)],
        ['amount', 'uint256', `${tokens?.amount}`],
      ],
    })),
  })
  return new Response(`${JSON.stringify(batch, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${brand.toLowerCase()}-orders-${numbers.join('-').slice(0, 60)}.json"`,
      'Cache-Control': 'no-store',
    },
  })
}
