/**
 * `npm run ledger -- …`: the operator's commands. They need a running backend: the hosted one that SUPABASE_URL names, or
 * the embedded one of `npm start`.
 */
import { parseArgs } from 'node:util'
import { Unreachable } from '../app/chain/chain-errors.ts'
import { ServiceFailure } from '../app/chain/ledger-writer.server.ts'
import { impactPools } from '../app/impact-pools.ts'
import { addCall } from './ledger-call.ts'
import { backfill, showStatus, verify } from './ledger-chain.ts'
import { acceptRestore, withdrawText } from './ledger-log.ts'
import { createOperator, UsageError } from './ledger-operator.ts'
import { addTransfer } from './ledger-transfer.ts'
import { addUpdate } from './ledger-update.ts'

const help = `npm run ledger -- <command>

status                         where the ledger and the chain stand
add <transaction hash>         records a transfer of that transaction, as the chain tells it
  --ordinal <n>                which one, where there are several; -1 is the chain's own coin
  --type donation|gift|spending|cost|tax|dream|move|other   --pool ${impactPools.map(({ slug }) => slug).join('|')}
  --rate <dollars> --rate-source <words>   what a whole token was worth, and who says so
  --proof <https://…>          --note <words>
  --revision                   corrects a row that is there: what is not given stays
call                           records a statement of the feed
  --text <words> --link <https://…> --author <name> --posted <time> --action <words>
  --captured <time>            when it was read at its address; now, unless told otherwise
  --confirmed-by <words>       how its source was confirmed: without this it is shown as not confirmed
  --tx <transaction hash>      the payment that answered it
  --revision                   corrects the statement of that link: what is not given stays
update                         records an update of a pool, with what it helps
  --pool <pool> --text <words> --links '<https://…> <https://…>' --dated <time>
  --picture <file> --picture-alt <words>   a picture, and what it shows; the site removes its metadata
  --helping <number> --helping-source <https://…>
  --number <n> --revision      corrects the update with that number
withdraw-text <hash> --reason <words>
                               deletes a text of an entry; the log says why, for ever
accept-restore --reason <words>
                               signs again after a backup was restored; the log says why, for ever
backfill --from <block> --to <block>
                               records what a range of blocks holds; again from where it was stopped
verify [<transaction hash> …]  checks every row, or these, against the chain

--yes                          does not ask before writing
The variables are those of .dev.vars.example, from the environment or .dev.vars.`

const options = {
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean', short: 'y' },
  ordinal: { type: 'string' },
  type: { type: 'string' },
  pool: { type: 'string' },
  rate: { type: 'string' },
  'rate-source': { type: 'string' },
  proof: { type: 'string' },
  note: { type: 'string' },
  revision: { type: 'boolean' },
  links: { type: 'string' },
  picture: { type: 'string' },
  'picture-alt': { type: 'string' },
  dated: { type: 'string' },
  helping: { type: 'string' },
  'helping-source': { type: 'string' },
  number: { type: 'string' },
  reason: { type: 'string' },
  text: { type: 'string' },
  link: { type: 'string' },
  author: { type: 'string' },
  posted: { type: 'string' },
  action: { type: 'string' },
  captured: { type: 'string' },
  'confirmed-by': { type: 'string' },
  tx: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [command, ...rest] = positionals
  const { help: wantsHelp, yes = false, from, to, ...said } = values
  if (wantsHelp || !command) {
    console.log(help)
    return wantsHelp ? 0 : 1
  }
  switch (command) {
    case 'status':
      await showStatus(createOperator(yes))
      return 0
    case 'add':
      await addTransfer(createOperator(yes), rest[0], said)
      return 0
    case 'call':
      await addCall(createOperator(yes), said)
      return 0
    case 'update':
      await addUpdate(createOperator(yes), said)
      return 0
    case 'withdraw-text':
      await withdrawText(createOperator(yes), rest[0], said)
      return 0
    case 'accept-restore':
      await acceptRestore(createOperator(yes), said)
      return 0
    case 'backfill':
      await backfill(createOperator(yes), from, to)
      return 0
    case 'verify':
      return (await verify(createOperator(yes), rest)) ? 0 : 1
    default:
      throw new UsageError(`There is no command ${command}. npm run ledger -- --help names them.`)
  }
}

/** One line, and nothing of a key or an address that may hold one. */
function inOneLine(error: unknown): string {
  if (error instanceof ServiceFailure && !error.code)
    return 'The backend does not answer. Is it running? npm start brings the embedded one.'
  if (error instanceof Unreachable) return `The chain can't be read: ${error.message}`
  return error instanceof Error ? error.message : 'Something went wrong.'
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(inOneLine(error))
  process.exitCode = 1
}
