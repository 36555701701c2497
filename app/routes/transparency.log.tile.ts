import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerTile } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerTile(args, ledgerLog)
