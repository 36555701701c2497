import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportLedger, json } from '~/ledger/downloads/export.server'

export function loader(args: LoaderFunctionArgs) {
  return exportLedger(args, json)
}
