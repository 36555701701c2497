/**
 * `npm run ledger -- …`: the commands for operators. They need a running backend: the hosted backend that
 * SUPABASE_URL names, or the embedded backend of `npm start`.
 */
import { parseArgs } from 'node:util'
import { Unreachable } from '../app/chain/chain-errors.ts'
import { impactPools } from '../app/platform/impact-pools.ts'
import { ServiceFailure } from '../app/platform/server/service.server.ts'
import { backfill, showStatus, verify } from './ledger-chain.ts'
import { acceptRestore } from './ledger-log.ts'
import { removeFactor } from './ledger-member.ts'
import { createOperator, type Operator, UsageError } from './ledger-operator.ts'
import { addOperator, listOperators } from './ledger-operators.ts'
import { showPayer } from './ledger-payer.ts'
import { addTransfer, listRows } from './ledger-transfer.ts'

const help = `npm run ledger -- <command>

Statements, updates, names, purposes and values of payments, and withdrawals are at /operator.

status                         how far the ledger and the blockchain are
add <transaction hash>         add a transfer of that transaction, as the blockchain shows it
  --ordinal <n>                which one, if there are several; -1 is the BNB transfer
  --type donation|gift|spending|cost|tax|dream|move|other   --pool ${impactPools.map(({ slug }) => slug).join('|')}
  --rate <dollars> --rate-source <words>   what one token was worth, and who says so
  --proof <https://…>          --note <words>
  --block <n>                  its block, if the endpoints no longer find the transaction by its hash
  --revision                   read an existing row from the blockchain again; alone, or with --ordinal
list --type <type>             the rows of a type, for example those that are not explained yet: --type other
accept-restore --reason <words>
                               sign again after you restored a backup; the log keeps the reason forever
backfill --from <block> --to <block>
                               add the transfers in a range of blocks; skips those that are there already
verify [<transaction hash> …]  check every row, or these, against the blockchain
payer                          the payer's address, its coins for gas, and what the wallets let it spend
operator add <email> --handle <name>
                               let a member with two-step sign-in work at /operator
operator list                  who is and who was an operator
member remove-factor <email>   turn off the two-step sign-in of a member who has lost the app; always asks twice

--yes                          publish without asking
Set the variables of .dev.vars.example in the environment or in .dev.vars.`

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
  block: { type: 'string' },
  reason: { type: 'string' },
  handle: { type: 'string' },
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
    case 'list':
      await listRows(createOperator(yes), said)
      return 0
    case 'accept-restore':
      await acceptRestore(createOperator(yes), said)
      return 0
    case 'backfill':
      await backfill(createOperator(yes), from, to)
      return 0
    case 'verify':
      return (await verify(createOperator(yes), rest)) ? 0 : 1
    case 'payer':
      await showPayer(createOperator(yes))
      return 0
    case 'operator':
      await runOperator(createOperator(yes), rest, said)
      return 0
    case 'member':
      if (rest[0] !== 'remove-factor')
        throw new UsageError('Use: npm run ledger -- member remove-factor <email>')
      await removeFactor(createOperator(yes), rest[1])
      return 0
    default:
      throw new UsageError(`Unknown command "${command}". See npm run ledger -- --help`)
  }
}

function runOperator(
  operator: Operator,
  [command, name]: string[],
  said: { handle?: string },
): Promise<void> {
  switch (command) {
    case 'add':
      return addOperator(operator, name, said)
    case 'list':
      return listOperators(operator)
    default:
      throw new UsageError('Use: npm run ledger -- operator add or operator list')
  }
}

/** The error's message for the operator, without keys and without URLs that may contain keys. */
function inOneLine(error: unknown): string {
  if (error instanceof ServiceFailure && !error.code)
    return 'The backend does not respond. Is it running? Start the embedded one with npm start.'
  if (error instanceof Unreachable) return `We can't read the blockchain: ${error.message}`
  return error instanceof Error ? error.message : 'Something went wrong.'
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(inOneLine(error))
  process.exitCode = 1
}
