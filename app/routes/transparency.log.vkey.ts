import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerVerifierKey } from '~/downloads/log.server'
import { ledgerLog } from '~/ledger/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerVerifierKey(args, ledgerLog)
