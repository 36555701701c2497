import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportEntries } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportEntries(args, ledgerLog)
