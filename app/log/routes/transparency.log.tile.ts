import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerTile } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerTile(args, ledgerLog)
