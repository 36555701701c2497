import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportAnchors } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportAnchors(args, ledgerLog)
