import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readRecordIndex } from '~/ledger/record.server'
import { answerProof, notFound } from '~/log/downloads.server'
import { ledgerLog } from '~/log/ledger-log'
import { unavailable } from '~/platform/downloads/state.server'

/** The proof that the entry of a row is in the log. */
export async function loader(args: LoaderFunctionArgs) {
  const id = /^[1-9]\d{0,14}$/.exec(args.params.id ?? '')?.[0]
  const index = id ? await readRecordIndex(args.context.publicData(), Number(id)) : 'none'
  if (index === null) return unavailable()
  if (index === 'none') return notFound("The ledger doesn't have this row.")
  return answerProof(args, ledgerLog, { index, title: `${id}`, subject: 'row' })
}
