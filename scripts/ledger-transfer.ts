import { checkRows } from '../app/chain/checks.ts'
import { isPool } from '../app/chain/classification.ts'
import { append, type Row, record, rowsOf, rowsOfType } from '../app/chain/ledger-store.server.ts'
import type { NewRow } from '../app/chain/new-row.ts'
import type { Chain } from '../app/chain/rpc.ts'
import { rowsOfTransaction } from '../app/chain/scan.ts'
import { type Rate, valueAt } from '../app/chain/valuation.ts'
import type { Watch } from '../app/chain/watch.ts'
import { findPool, impactPools } from '../app/impact-pools.ts'
import { nativeTransferOf } from '../app/ledger/token-transfers.ts'
import { type TransactionType, transactionTypes } from '../app/ledger/transaction-types.ts'
import { listWords } from '../app/list.ts'
import { formatCount } from '../app/money.ts'
import { paymentSubject } from '../app/operator/kinds.ts'
import { plural } from '../app/plural.ts'
import { type Act, doAct, readAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

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
}

const notYetRecorded = "Nothing to correct: that transfer isn't in the ledger yet. Leave out --revision."

/**
 * Records the transfers of a transaction from and to our wallets, or corrects one of them. Then checks the
 * rows against the blockchain. Without CHAIN_RPC_URLS, corrects only the operator's values and checks
 * nothing. Throws a UsageError if the operator's values are wrong or the transaction has no such transfer.
 */
export async function addTransfer(operator: Operator, hash: string | undefined, said: Said): Promise<void> {
  if (!hash || !/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new UsageError('Give a transaction hash: 0x and 64 characters.')
  const txHash = hash.toLowerCase()
  const { service, config } = operator
  const known = await rowsOf(service, config.CHAIN_ID, [txHash])
  const readsChain = !said.revision || config.CHAIN_RPC_URLS.length > 0
  const chain = readsChain ? await operator.chain() : null
  if (said.revision && known.length === 0) throw new UsageError(notYetRecorded)
  const found = chain ? await transfersInIt(chain, operator.watch(), txHash) : known.map(newRowFrom)
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
  const { type, pool, rate, proof, note, revision } = said
  const facts = { type, pool, rate, proof, note, source: said['rate-source'] }
  if (picked.length > 1 && (revision || Object.values(facts).some(Boolean)))
    throw new UsageError(
      `This transaction has several transfers. Pick one: --ordinal ${listWords(
        picked.map(({ ordinal }) => `${ordinal}`),
        'or',
      )}.`,
    )

  const newRows = picked.flatMap((newRow) => {
    const before = known.find(({ ordinal }) => ordinal === newRow.ordinal)
    if (before && !revision) return []
    if (revision && !before) throw new UsageError(notYetRecorded)
    return [withOperatorValues(before ? correctionOf(before, newRow) : newRow, said)]
  })
  if (newRows.length === 0) throw new UsageError('Already in the ledger. To correct it, add --revision.')

  await operator.confirm(newRows.map(rowInWords).join('\n'))
  const [corrected] = newRows
  const before = revision && known.find(({ ordinal }) => ordinal === corrected?.ordinal)
  if (before && corrected) await correct(operator, before, corrected)
  else await addRows(operator, newRows)
  if (chain) await check(operator, chain, txHash)
  await operator.tellSite()
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

/** A published row in the form of a new row, for a correction that does not read the blockchain. */
function newRowFrom({ occurred_at, token_amount, token_symbol, token_decimals, ...row }: Row): NewRow {
  if (token_amount === null || token_symbol === null || token_decimals === null)
    throw new UsageError('Set CHAIN_RPC_URLS first: the ledger has no amount of this transfer.')
  return {
    ...row,
    ...{
      occurred_at: occurred_at.toISOString(),
      token_amount: `${token_amount}`,
      token_symbol,
      token_decimals,
    },
  }
}

async function addRows({ service }: Operator, newRows: NewRow[]): Promise<void> {
  const { added, size } = await append(service, newRows)
  console.log(
    plural(added, {
      one: `Added # row. The log now has ${formatCount(Number(size))} entries.`,
      other: `Added # rows. The log now has ${formatCount(Number(size))} entries.`,
    }),
  )
}

/**
 * Corrects a row by up to three acts: the data of the blockchain, the purpose, and the value. Each act makes
 * its own revision. Throws a UsageError if nothing differs.
 */
async function correct(operator: Operator, before: Row, row: NewRow): Promise<void> {
  const acts = [readingActOf(before, row), purposeActOf(before, row), rateActOf(before, row)].filter(
    (act) => act !== null,
  )
  if (acts.length === 0) throw new UsageError('Nothing to correct: the ledger has these values.')
  for (const [at, act] of acts.entries()) await doAct(operator, { ...act, version: before.revision + at })
  console.log(plural(acts.length, { one: 'Corrected by # act.', other: 'Corrected by # acts.' }))
}

type Correction = Omit<Act, 'version'>

/** The columns of a row that come from the blockchain. */
const chainColumns = [
  ...(['occurred_at', 'token_amount', 'token_symbol', 'token_decimals', 'token_address'] as const),
  ...(['from_address', 'to_address'] as const),
]

function readingActOf(before: Row, row: NewRow): Correction | null {
  const subject = paymentSubject(before)
  const isSame = (column: (typeof chainColumns)[number]) =>
    column === 'occurred_at'
      ? before.occurred_at.getTime() === new Date(row.occurred_at).getTime()
      : `${before[column]}` === `${row[column]}`
  if (chainColumns.every(isSame)) return null
  const values = Object.fromEntries(chainColumns.map((column) => [column, row[column]]))
  return { kind: 'reading', subject, values, reason: null }
}

function purposeActOf(before: Row, row: NewRow): Correction | null {
  const columns = ['type', 'pool_slug', 'note', 'proof_url'] as const
  if (columns.every((column) => before[column] === row[column])) return null
  const { type, pool_slug: pool, note, proof_url: proof } = row
  return readAct('purpose', { subject: paymentSubject(before), version: null }, { type, pool, note, proof })
}

function rateActOf(before: Row, row: NewRow): Correction | null {
  const { rate_usd: rate, rate_source } = row
  if (rate === null || (before.rate_usd === rate && before.rate_source === rate_source)) return null
  return readAct('value', { subject: paymentSubject(before), version: null }, { rate, rate_source })
}

/** The transfers of a transaction from and to our wallets, in the form that the scheduled job records. */
async function transfersInIt(chain: Chain, watch: Watch, txHash: string): Promise<NewRow[]> {
  const [receipt, transaction] = await Promise.all([chain.receipt(txHash), chain.transaction(txHash)])
  if (!receipt || !transaction)
    throw new UsageError(
      `That transaction isn't in a block of chain ${chain.id} yet. Check the hash, or try again in a minute.`,
    )
  if (receipt.status !== '0x1') throw new UsageError('That transaction failed, so it moved nothing.')
  const block = await chain.blockByHash(receipt.blockHash)
  if (!block) throw new UsageError('The blockchain is still settling this block. Try again in a minute.')
  return rowsOfTransaction(chain, watch, receipt, block, [], nativeTransferOf(transaction))
}

/** The next revision of a row: the blockchain's data from `newRow`, all other data from `before`. */
function correctionOf(before: Row, newRow: NewRow): NewRow {
  const { account, counter_account, type, direction, amount_usd, rate_usd, rate_source } = before
  const { pool_slug, proof_url, note } = before
  // If the row had no dollar value, the revision gets the value of `newRow`.
  const value = amount_usd === null ? {} : { amount_usd, rate_usd, rate_source }
  const revision = before.revision + 1
  return {
    ...newRow,
    account,
    counter_account,
    type,
    direction,
    ...value,
    pool_slug,
    proof_url,
    note,
    revision,
  }
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

/** Prints the rows of a type, newest first, each with the hash for `add --revision`. */
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
  console.log(`To correct one: npm run ledger -- add <hash> --ordinal <n> --revision --type …`)
  console.log(`Pages show the same rows: ${config.SITE_URL}/transparency?type=${type}`)
}
