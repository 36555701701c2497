import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerCheckpoint } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerCheckpoint(args, ledgerLog)
