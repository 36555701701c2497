import * as z from 'zod/mini'
import { ledgerLog } from '../app/log/ledger-log.ts'
import { integerColumn } from '../app/platform/server/columns.server.ts'
import { type Operator, UsageError } from './ledger-operator.ts'
import { readVariables } from './variables.ts'

const statusRow = z.object({ size: z.nullable(integerColumn), rolled_back_size: z.nullable(integerColumn) })

const refused = `Witnesses will refuse the name of this log for ever: they have cosigned entries that it no longer has.
If witnesses cosign it, stop here. Set a new LOG_ORIGIN and a new LOG_KEY here and for the site, then run this command
again: the reason in the log will name both. Send the new verifier key to the operators of the witnesses.
The archive keeps the checkpoints of the old name, except those signed after the backup.`

const noteRow = z.object({ note: z.string() })

/**
 * Accepts that the log no longer has the entries of a signed checkpoint, so that the job signs checkpoints
 * again. Throws a UsageError if the job has found no rollback. If LOG_ORIGIN is set and differs from the name
 * in the newest checkpoint, the log records both names in the reason.
 */
export async function acceptRestore(operator: Operator, given: { reason?: string }): Promise<void> {
  const { service, confirm } = operator
  const status = await service.row('ledger_status', statusRow)
  if (status.rolled_back_size === null)
    throw new UsageError('We noticed no rollback, so there is nothing to accept.')
  const [newest] = await service.rows('newest_checkpoints', noteRow, (query) => query.eq('log', ledgerLog))
  const former = newest?.note.split('\n', 1)[0]
  // An unset LOG_ORIGIN is ignored, because its default contains the address of this machine.
  const origin = readVariables().LOG_ORIGIN
  const isRenamed = Boolean(origin && former && former !== origin)
  const { reason: words = '' } = await operator.complete(given, { reason: 'Public reason' })
  const reason = isRenamed ? `${words} The log was ${former} and is now ${origin}.` : words
  await confirm(
    `${isRenamed ? '' : `${refused}\n`}A checkpoint of ${status.rolled_back_size} entries was signed. Now the log has ${status.size}, and they are different.
People who kept that checkpoint will find a fork. If you have the missing entries, add them first.
The log keeps this reason forever: ${reason}`,
  )
  const { data, error } = await service.api.rpc('accept_restore', { log: ledgerLog, reason })
  if (error) throw new UsageError(`The backend refused it: ${error.message}`)
  console.log(data ? 'Accepted. The next run signs again.' : 'Another operator already accepted it.')
}
