import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportTexts } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => exportTexts(args, ledgerLog)
