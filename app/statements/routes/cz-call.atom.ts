import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerCallFeed } from '~/ledger/downloads/feed.server'

export function loader(args: LoaderFunctionArgs) {
  return answerCallFeed(args, 'atom')
}
