import type { Chain } from '../app/chain/rpc.ts'
import { checkRows } from '../app/ledger/job/checks.ts'
import { isPool } from '../app/ledger/job/classification.ts'
import { append, type Row, record, rowsOf, rowsOfType } from '../app/ledger/job/ledger-store.server.ts'
import type { NewRow } from '../app/ledger/job/new-row.ts'
import { rowsOfTransaction } from '../app/ledger/job/scan.ts'
import { type Rate, valueAt } from '../app/ledger/job/valuation.ts'
import type { Watch } from '../app/ledger/job/watch.ts'
import { nativeTransferOf } from '../app/ledger/token-transfers.ts'
import { type TransactionType, transactionTypes } from '../app/ledger/transaction-types.ts'
import { readHash } from '../app/platform/forms/hash.ts'
import { findPool, impactPools } from '../app/platform/impact-pools.ts'
import { listWords } from '../app/platform/list.ts'
import { formatCount } from '../app/platform/money.ts'
import { plural } from '../app/platform/plural.ts'
import { doAct } from './ledger-act.ts'
import { blockFrom, type Operator, UsageError } from './ledger-operator.ts'

/** The values that an operator can state about a transfer. The other values come from the blockchain. */
export interface Said {
  ordinal?: string
  type?: string
  pool?: string
  rate?: string
  'rate-source'?: string
  proof?: string
  note?: string
  revision?: boolean
  /** The number of the block, for endpoints that have forgotten it. */
  block?: string
}

/** The options that state what the blockchain does not show. */
const factNames = ['type', 'pool', 'rate', 'rate-source', 'proof', 'note']

/**
 * Records the transfers of a transaction from and to our wallets; with --revision, reads those that the
 * ledger has from the blockchain again. Then checks the rows against the blockchain. Throws a UsageError if
 * the operator's values are wrong or the transaction has no such transfer.
 */
export async function addTransfer(operator: Operator, hash: string | undefined, said: Said): Promise<void> {
  const txHash = readHash(hash ?? '')
  if (!txHash) throw new UsageError('Give a transaction hash: 0x and 64 characters.')
  const { service, config } = operator
  const stated = Object.entries(said).find(([name, value]) => factNames.includes(name) && value)?.[0]
  if (said.revision && stated)
    throw new UsageError(`Leave out --${stated}: an operator corrects it at ${config.SITE_URL}/operator.`)
  const known = await rowsOf(service, config.CHAIN_ID, [txHash])
  const chain = await operator.chain()
  if (said.revision && known.length === 0)
    throw new UsageError(
      "Nothing to read again: that transfer isn't in the ledger yet. Leave out --revision.",
    )
  const block = said.block ? blockFrom('--block', said.block) : (known[0]?.block_number ?? undefined)
  const found = await transfersInIt(chain, operator.watch(), txHash, block)
  const picked =
    said.ordinal === undefined ? found : found.filter(({ ordinal }) => `${ordinal}` === said.ordinal)
  if (picked.length === 0)
    throw new UsageError(
      found.length === 0
        ? "That transaction doesn't move any of your tokens to or from your wallets."
        : `That transaction doesn't have this transfer. Pick one: --ordinal ${listWords(
            found.map(({ ordinal }) => `${ordinal}`),
            'or',
          )}.`,
    )
  if (picked.length > 1 && stated)
    throw new UsageError(
      `This transaction has several transfers. Pick one: --ordinal ${listWords(
        picked.map(({ ordinal }) => `${ordinal}`),
        'or',
      )}.`,
    )

  if (said.revision) await readAgain(operator, known, picked)
  else await addRows(operator, known, picked, said)
  await check(operator, chain, txHash)
  await operator.tellSite()
}

/** Adds the transfers that the ledger does not have. Throws a UsageError if it has all of them. */
async function addRows(operator: Operator, known: Row[], found: NewRow[], said: Said): Promise<void> {
  const newRows = found
    .filter(({ ordinal }) => !known.some((row) => row.ordinal === ordinal))
    .map((newRow) => withOperatorValues(newRow, said))
  if (newRows.length === 0)
    throw new UsageError('Already in the ledger. To read it from the blockchain again, add --revision.')
  await operator.confirm(newRows.map(rowInWords).join('\n'))
  const { added, size } = await append(operator.service, newRows)
  console.log(
    plural(added, {
      one: `Added # row. The log now has ${formatCount(Number(size))} entries.`,
      other: `Added # rows. The log now has ${formatCount(Number(size))} entries.`,
    }),
  )
}

/** The columns of a row that come from the blockchain. */
const chainColumns = [
  'occurred_at',
  'token_amount',
  'token_symbol',
  'token_decimals',
  'token_address',
  'from_address',
  'to_address',
] as const

/** Corrects rows that differ from the chain; purpose and value stay. UsageError if none differs. */
async function readAgain(operator: Operator, known: Row[], found: NewRow[]): Promise<void> {
  const wrong = found.flatMap((newRow) => {
    const row = known.find(({ ordinal }) => ordinal === newRow.ordinal)
    return row && chainColumns.some((column) => !isSame(row, newRow, column)) ? [{ row, newRow }] : []
  })
  if (wrong.length === 0)
    throw new UsageError('Nothing to correct: the ledger has what the blockchain shows.')
  await operator.confirm(wrong.map(({ newRow }) => rowInWords(newRow)).join('\n'))
  for (const { row, newRow } of wrong)
    await doAct(operator, {
      kind: 'reading',
      subject: `${row.chain_id}/${row.tx_hash}/${row.ordinal}`,
      version: row.revision,
      values: Object.fromEntries(chainColumns.map((column) => [column, newRow[column]])),
    })
  console.log(plural(wrong.length, { one: 'Corrected # row.', other: 'Corrected # rows.' }))
}

function isSame(row: Row, newRow: NewRow, column: (typeof chainColumns)[number]): boolean {
  return column === 'occurred_at'
    ? row.occurred_at.getTime() === new Date(newRow.occurred_at).getTime()
    : `${row[column]}` === `${newRow[column]}`
}

/** Checks the rows of a transaction against the blockchain, records the results and prints them. */
async function check({ service, config }: Operator, chain: Chain, txHash: string): Promise<void> {
  const rows = await rowsOf(service, config.CHAIN_ID, [txHash])
  const checks = await checkRows(chain, config.CHAIN_CONFIRMATIONS, rows)
  await record(service, rows, checks)
  for (const { status, confirmations, reason } of checks)
    console.log(
      `Blockchain check: ${[status, confirmations && `${confirmations} confirmations`, reason].filter(Boolean).join(', ')}`,
    )
}

/** The transfers of a transaction from and to our wallets, in the form that the scheduled job records. */
async function transfersInIt(chain: Chain, watch: Watch, txHash: string, at?: number): Promise<NewRow[]> {
  const [receipt, transaction] = await Promise.all([chain.receipt(txHash, at), chain.transaction(txHash, at)])
  if (!receipt || !transaction)
    throw new UsageError(
      `The endpoints don't find that transaction on chain ${chain.id}. Check the hash, or try again in a minute. If it's older than some days, add --block with the number of its block.`,
    )
  if (receipt.status !== '0x1') throw new UsageError('That transaction failed, so it moved nothing.')
  const block = await chain.blockByHash(receipt.blockHash)
  if (!block) throw new UsageError('The blockchain is still settling this block. Try again in a minute.')
  return rowsOfTransaction(chain, watch, receipt, block, [], nativeTransferOf(transaction))
}

/**
 * Adds the operator's values to a row. Throws a UsageError for a value that does not fit the row. The
 * database has the same rules in the constraints transactions_*_of_type and transactions_pool_of_account.
 */
function withOperatorValues(newRow: NewRow, said: Said): NewRow {
  const type = (said.type as TransactionType | undefined) ?? newRow.type
  const allowed = typesFor(newRow)
  if (!allowed.includes(type))
    throw new UsageError(
      `--type must be ${listWords(allowed, 'or')} for a transfer ${newRow.direction === 'in' ? 'to' : 'from'} ${newRow.account}${newRow.counter_account ? ` to ${newRow.counter_account}` : ''}.`,
    )
  const mayChoosePool = type === 'donation' && !newRow.counter_account
  const pool = mayChoosePool ? (said.pool ?? newRow.pool_slug) : newRow.pool_slug
  if (said.pool && said.pool !== pool)
    throw new UsageError(
      'The wallets decide the pool of this payment. Use --pool only for a donation to another wallet.',
    )
  const poolOfRow =
    type === 'donation' || isPool(newRow.account) || isPool(newRow.counter_account) ? pool : null
  if (poolOfRow && !findPool(poolOfRow))
    throw new UsageError(
      `--pool must be ${listWords(
        impactPools.map(({ slug }) => slug),
        'or',
      )}.`,
    )
  if (said.proof && !/^https:\/\/\S+$/.test(said.proof))
    throw new UsageError('--proof must be an address that starts with https://')
  if (Boolean(said.rate) !== Boolean(said['rate-source']))
    throw new UsageError('Use --rate and --rate-source together.')
  return {
    ...newRow,
    type,
    pool_slug: poolOfRow,
    proof_url: said.proof ?? newRow.proof_url,
    note: said.note ?? newRow.note,
    ...(said.rate && valueAt(BigInt(newRow.token_amount), newRow.token_decimals, rateFrom(said))),
  }
}

const returned: TransactionType[] = ['returned']

/** The types that a transfer between these accounts can have. */
function typesFor({ account, counter_account, direction }: NewRow): TransactionType[] {
  if (counter_account) return isPool(counter_account) && !isPool(account) ? ['donation', 'move'] : ['move']
  if (direction === 'in') return ['gift', 'tax', 'exchange', ...(isPool(account) ? returned : []), 'other']
  return isPool(account)
    ? ['spending', 'exchange', 'other']
    : ['donation', 'cost', 'dream', 'exchange', 'other']
}

function rateFrom({ rate = '', 'rate-source': source = '' }: Said): Rate {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(rate) ?? []
  if (whole === undefined || !/[1-9]/.test(rate))
    throw new UsageError('--rate must be the dollars for one token, like 612.5')
  return { units: BigInt(whole + fraction), decimals: fraction.length, source }
}

function rowInWords(newRow: NewRow): string {
  const facts = {
    when: newRow.occurred_at,
    account: [newRow.account, newRow.counter_account].filter(Boolean).join(' to '),
    type: [newRow.type, newRow.pool_slug].filter(Boolean).join(' for '),
    direction: newRow.direction,
    amount: `${newRow.token_amount} base units of ${newRow.token_symbol} (${newRow.token_decimals} decimals)`,
    dollars: newRow.amount_usd === null ? 'no dollar value' : `${newRow.amount_usd} (${newRow.rate_source})`,
    from: newRow.from_address,
    to: newRow.to_address,
    transfer: `${newRow.tx_hash} ${newRow.ordinal}, revision ${newRow.revision}`,
    proof: newRow.proof_url,
    note: newRow.note,
  }
  return Object.entries(facts)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n')
}

/** Prints the rows of a type, newest first, each with its transaction. */
export async function listRows({ service, config }: Operator, { type }: Said): Promise<void> {
  const types = Object.keys(transactionTypes)
  if (!type || !types.includes(type)) throw new UsageError(`--type must be ${listWords(types, 'or')}.`)
  let count = 0
  for await (const row of rowsOfType(service, type)) {
    const { occurred_at, account, counter_account, direction, amount_usd, token_amount, token_symbol } = row
    const { token_decimals, from_address, to_address, tx_hash, ordinal } = row
    const other = counter_account ?? (direction === 'in' ? from_address : to_address)
    const amount = amount_usd ? `$${amount_usd}` : `${token_amount} base units (${token_decimals} decimals)`
    const parties = direction === 'in' ? `${other} to ${account}` : `${account} to ${other}`
    console.log(`${occurred_at.toISOString()}  ${amount} in ${token_symbol}, ${parties}`)
    console.log(`  ${tx_hash} --ordinal ${ordinal}`)
    count += 1
  }
  if (count === 0) return console.log('No rows of this type.')
  console.log(`To name the purpose of one: ${config.SITE_URL}/operator`)
  console.log(`Pages show the same rows: ${config.SITE_URL}/transparency?type=${type}`)
}
