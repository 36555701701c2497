import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerOrders } from '~/payments/downloads.server'

export function loader(args: LoaderFunctionArgs) {
  return answerOrders(args, 'json')
}
