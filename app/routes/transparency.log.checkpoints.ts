import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportCheckpoints } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportCheckpoints(args, ledgerLog)
