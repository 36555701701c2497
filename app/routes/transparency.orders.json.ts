import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOrders } from '~/downloads/orders.server'

export function loader(args: LoaderFunctionArgs) {
  return answerOrders(args, 'json')
}
