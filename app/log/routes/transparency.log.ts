import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportEntries } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportEntries(args, ledgerLog)
