import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { csv, exportLedger } from '~/ledger/downloads/export.server'

export function loader(args: LoaderFunctionArgs) {
  return exportLedger(args, csv)
}
