import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportCheckpoints } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportCheckpoints(args, ledgerLog)
