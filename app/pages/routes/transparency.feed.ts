import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerLedgerFeed } from '~/ledger/downloads/feed.server'

export function loader(args: LoaderFunctionArgs) {
  return answerLedgerFeed(args, 'json')
}
