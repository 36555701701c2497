import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerCheckpoint } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerCheckpoint(args, ledgerLog)
