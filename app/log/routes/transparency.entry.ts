import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { answerProof, notFound } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'

/** The proof of the entry with this index in the ledger's log. */
export async function loader(args: LoaderFunctionArgs) {
  const index = /^(?:0|[1-9]\d{0,14})$/.exec(args.params.index ?? '')?.[0]
  if (!index) return notFound("The log doesn't have this entry.")
  return answerProof(args, ledgerLog, { index: Number(index), title: `entry-${index}`, subject: 'entry' })
}
