import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportAnchors } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportAnchors(args, ledgerLog)
