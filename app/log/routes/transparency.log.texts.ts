import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportTexts } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportTexts(args, ledgerLog)
