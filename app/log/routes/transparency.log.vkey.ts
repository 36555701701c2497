import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerVerifierKey } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

export const loader = (args: LoaderFunctionArgs) => answerVerifierKey(args, ledgerLog)
