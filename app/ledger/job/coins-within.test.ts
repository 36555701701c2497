import { encodeFunctionData, encodePacked, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { CallRefused } from '../../chain/chain-errors.ts'
import type { Chain } from '../../chain/rpc.ts'
import { findWithin } from './coins-within.ts'
import type { Watch } from './watch.ts'

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`
const safe = addressOf('1')
const pool = addressOf('2')
const bundler = addressOf('3')
const charity = addressOf('4')
const shop = addressOf('5')
const exchange = addressOf('6')
const library = addressOf('7')
const entry = addressOf('8')
const block = { number: 10, hash: `0x${'b'.repeat(64)}`, timestamp: 1_700_000_000 }
const txHash = `0x${'a'.repeat(64)}`

const abi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
  'function execute(address to, uint256 value, bytes data)',
  'function withdraw(address[] to, uint256[] amounts)',
  'function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 limits, uint256 gas, bytes32 fees, bytes paymaster, bytes signature)[] ops, address beneficiary)',
])
const call = (functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as Hex
const nothing = addressOf('0')
const executed = (to: Hex, value: bigint, data: Hex = '0x', operation = 0) =>
  call('execTransaction', [to, value, data, operation, 0n, 0n, 0n, nothing, nothing, `0x${'9'.repeat(130)}`])
const batchOf = (payments: [to: Hex, value: bigint, data?: Hex][]) =>
  call('multiSend', [
    `0x${payments
      .map(([to, value, data = '0x']) =>
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
          [0, to, value, BigInt(data.length / 2 - 1), data],
        ).slice(2),
      )
      .join('')}`,
  ])
const operation = (callData: Hex) =>
  call('handleOps', [
    [
      {
        ...{ sender: safe, nonce: 1n, initCode: '0x', callData, limits: `0x${'0'.repeat(64)}`, gas: 1n },
        ...{ fees: `0x${'0'.repeat(64)}`, paymaster: '0x', signature: `0x${'9'.repeat(130)}` },
      },
    ],
    bundler,
  ])

/** A chain without traces, whose block has one transaction and changes these balances. */
function chainWith(to: Hex, input: Hex, changes: Record<string, bigint>): Chain {
  const transaction = { hash: txHash, from: bundler, to, value: 0n, input }
  return {
    id: 56,
    parallel: 3,
    wholeBlock: async () => ({ ...block, transactions: [transaction] }),
    receipt: async () => ({
      ...{ transactionHash: txHash, blockNumber: block.number, blockHash: block.hash, status: '0x1' },
      ...{ from: bundler, to, logs: [] },
    }),
    transaction: async () => ({ ...transaction, blockHash: block.hash }),
    balance: async (of: string, at: number) => 1_000n + (at === block.number ? (changes[of] ?? 0n) : 0n),
    logs: async () => [],
    trace: async () => {
      throw new CallRefused('debug_traceTransaction is refused')
    },
  } as unknown as Chain
}

const watch: Watch = {
  ...{ chainId: 56, urls: [], startBlock: 0, confirmations: 1, taxSenders: [], dreamWallets: [] },
  tokens: [{ symbol: 'BNB', address: null, decimals: 18, value: null }],
  accounts: new Map([
    [safe, 'treasury'],
    [pool, 'education'],
  ]),
  goals: new Map(),
}

test.each([
  // https://github.com/fystack/multichain-indexer/issues/44: the transaction itself carries no coins.
  [
    'a Safe pays a pool',
    safe,
    executed(pool, 3n),
    { [safe]: -3n, [pool]: 3n },
    [[safe, pool, '3', 'donation']],
  ],
  // https://github.com/ethereum/mist/issues/160: the recipient does not see a payment of a wallet that is a contract.
  [
    'another wallet that is a contract pays a stranger',
    safe,
    call('execute', [charity, 4n, '0x']),
    { [safe]: -4n, [charity]: 4n },
    [[safe, charity, '4', 'other']],
  ],
  // https://github.com/vsys-host/shkeeper.io/issues/109
  [
    'an exchange pays many by its contract',
    exchange,
    call('withdraw', [
      [charity, pool],
      [5n, 6n],
    ]),
    { [exchange]: -11n, [charity]: 5n, [pool]: 6n },
    [[exchange, pool, '6', 'gift']],
  ],
  // https://github.com/safe-global/safe-transaction-service/pull/2773: on chains without traces, the payments of a batch
  // are missing. Their addresses are packed: https://github.com/Cyfrin/safe-tx-hashes/issues/24
  [
    'a Safe pays a batch',
    safe,
    executed(
      library,
      0n,
      batchOf([
        [charity, 1n],
        [shop, 0n, '0xa9059cbb00'],
        [pool, 2n],
        [exchange, 4n, '0x1234'],
      ]),
      1,
    ),
    { [safe]: -7n, [charity]: 1n, [pool]: 2n, [exchange]: 4n },
    [
      [safe, pool, '2', 'donation'],
      [safe, charity, '1', 'other'],
      [safe, exchange, '4', 'other'],
    ],
  ],
  [
    'a Safe pays a batch of strangers',
    safe,
    executed(
      library,
      0n,
      batchOf([
        [charity, 1n],
        [shop, 2n],
      ]),
      1,
    ),
    { [safe]: -3n, [charity]: 1n, [shop]: 2n },
    [
      [safe, charity, '1', 'other'],
      [safe, shop, '2', 'other'],
    ],
  ],
  // https://github.com/ethereum-optimism/op-analytics/pull/1437: others send the transaction of such a wallet.
  [
    'a wallet pays by an operation that a bundler sends',
    entry,
    operation(call('execute', [pool, 8n, '0x'])),
    { [safe]: -8n, [pool]: 8n },
    [[safe, pool, '8', 'donation']],
  ],
] as [string, Hex, Hex, Record<string, bigint>, string[][]][])(
  'without traces, %s: each payment has its row',
  async (_, to, input, changes, rows) => {
    const wallet = changes[safe] ? safe : pool
    const found = await findWithin(chainWith(to, input, changes), watch, wallet, 10, changes[wallet] ?? 0n)
    expect(
      found?.map(({ from_address, to_address, token_amount, type }) => [
        from_address,
        to_address,
        token_amount,
        type,
      ]),
    ).toEqual(rows)
  },
)

test('a batch that ends within a payment, or says a wrong length, is read without an error', async () => {
  const whole = executed(library, 0n, batchOf([[charity, 1n]]), 1)
  for (const input of [whole.slice(0, 700), whole.replace(/55(0*1)/, 'ff$1'), `${whole.slice(0, 500)}`])
    expect(
      await findWithin(chainWith(safe, input as Hex, { [safe]: -1n }), watch, safe, 10, -1n).catch(String),
    ).toSatisfy((found) => found === null || Array.isArray(found) || /refused/.test(String(found)))
})
