import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireOperator } from '~/acts/guard.server'
import { listOrders, readOrderClock } from '~/payments/orders.server'
import { canPay, meansKey } from '~/payments/payer-means'
import { readPayer, readPayerAddress } from '~/payments/payer-means.server'
import { safeBatch } from '~/payments/safe-batch'
import { shownState } from '~/payments/states'
import { unverifiedPage } from '~/platform/edge/error-page.server'
import { found, notFound, unlessOutage } from '~/platform/server/outage.server'
import { brand } from '~/platform/site'
import { checksumAddress } from '~/wallet/address'
import { formatUnits } from '~/wallet/units'

type Batch = Parameters<typeof safeBatch>[0]

/** Maximum number of payments in one file. */
const mostPayments = 100

/**
 * The file for Safe's Transaction Builder: one order that is paid by hand (`?order=`) or all of a wallet (`?account=`):
 * those that an operator took, or without a payer all due orders; or an allowance (`?allow=` a token of a wallet, `&amount=` in base units).
 */
export function loader({ request, context }: LoaderFunctionArgs) {
  return unlessOutage(
    async () => {
      await requireOperator(context, '/operator/payments')
      const { searchParams } = new URL(request.url)
      return download(
        await (searchParams.has('allow')
          ? allowance(searchParams, context)
          : dueOrders(searchParams, context)),
      )
    },
    () => unverifiedPage(context),
  )
}

async function dueOrders(asked: URLSearchParams, context: AppLoadContext): Promise<Batch> {
  const { means } = found(await readPayer(context.data()))
  // Owners can sign a file at any time after its download, so the site offers none for an order that it may pay.
  const paidByHand = context.config.PAYER_KEY ? 'taken' : 'due'
  const account = asked.get('account')
  const { rows } = found(await listOrders(context.data(), { group: 'coming', account }, null, mostPayments))
  const now = readOrderClock(context.config)
  const due = rows
    .filter(
      (order) =>
        shownState(order, now) === paidByHand &&
        canPay(means, order) &&
        (account || `${order.number}` === asked.get('order')),
    )
    .reverse()
  const [first] = due
  const day = (date: Date) => date.toISOString().slice(0, 10)
  if (!first) throw notFound()
  const numbers = due.map(({ number }) => number)
  return {
    chainId: first.chainId,
    safe: checksumAddress(first.fromAddress),
    name: `${brand}: orders ${numbers.join(', ')}`,
    description: due
      .map(
        ({ number, purpose, expiresAt }) =>
          `Order ${number}, not to be signed after ${day(expiresAt)}: ${purpose ?? ''}`,
      )
      .join('\n'),
    createdAt: now,
    calls: due.map(({ tokenAddress, toAddress, tokens }) => ({
      token: checksumAddress(tokenAddress),
      method: 'transfer',
      inputs: [
        ['recipient', 'address', checksumAddress(toAddress)],
        ['amount', 'uint256', `${tokens?.amount}`],
      ],
    })),
  }
}

async function allowance(asked: URLSearchParams, context: AppLoadContext): Promise<Batch> {
  const { means, sight } = found(await readPayer(context.data()))
  const chosen = means.find((each) => meansKey(each) === asked.get('allow'))
  const amount = asked.get('amount') ?? ''
  const own = await readPayerAddress(context.config, sight)
  if (!chosen || !own || own.isOther || !/^\d{1,38}$/.test(amount)) throw notFound()
  const payer = checksumAddress(own.payer)
  return {
    chainId: chosen.chainId,
    safe: checksumAddress(chosen.owner),
    name: `${brand}: allowance of ${chosen.symbol}`,
    description: `The payer ${payer} may spend ${formatUnits(BigInt(amount), chosen.decimals)} ${chosen.symbol}.`,
    createdAt: readOrderClock(context.config),
    calls: [
      {
        token: checksumAddress(chosen.token),
        method: 'approve',
        inputs: [
          ['spender', 'address', payer],
          ['amount', 'uint256', amount],
        ],
      },
    ],
  }
}

/** A download, whose name is made from the name of the batch. */
function download(batch: Batch): Response {
  const name = batch.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return new Response(`${JSON.stringify(safeBatch(batch), null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name.slice(0, 80)}.json"`,
      'Cache-Control': 'no-store',
    },
  })
}
