import { keccak256, parseTransaction } from 'viem'
import { CallRefused } from '../../app/chain/chain-errors.ts'
import type { Chain } from '../../app/chain/rpc.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import { transferTopic } from '../../app/ledger/token-transfers.ts'

/** The number of blocks after which a transaction of the model is final. */
export const confirmations = 3
const balance = 10n ** 22n

/** A configuration with one wallet. */
export const watchOf = (treasury: string): Watch => ({
  ...{ chainId: 56, urls: [], startBlock: 0, confirmations, tokens: [], taxSenders: [], dreamWallets: [] },
  ...{ accounts: new Map([[treasury, 'treasury']]), goals: new Map() },
})

interface Sent {
  hash: string
  nonce: number
  from: string
  to: string
  amount: bigint
}

/** A chain with one sender, in memory: blocks, transactions that wait, and what each wallet allows the sender. */
export class ModelChain {
  blocks: { hash: string; mined: (Sent & { succeeded: boolean })[] }[] = []
  waiting = new Map<string, Sent>()
  allowance: bigint
  /** True while the endpoints have no receipts. */
  forgets = false
  readonly #draw: () => number

  constructor(draw: () => number, allowance: bigint) {
    this.#draw = draw
    this.allowance = allowance
    for (let block = 0; block < 5; block++) this.mine()
  }

  nonce(at = this.blocks.length - 1): number {
    return this.blocks.slice(0, at + 1).reduce((sum, { mined }) => sum + mined.length, 0)
  }

  get all() {
    return this.blocks.flatMap(({ mined }) => mined)
  }

  movedFrom(owner: string): bigint {
    return this.all.reduce(
      (sum, { succeeded, from, amount }) => sum + (succeeded && from === owner ? amount : 0n),
      0n,
    )
  }

  /** What the sender may still spend of a wallet. */
  left(owner: string): bigint {
    const left = this.allowance - this.movedFrom(owner)
    return left > 0n ? left : 0n
  }

  mine(): void {
    const next = [...this.waiting.values()].filter(({ nonce }) => nonce === this.nonce())
    const chosen = next[Math.floor(this.#draw() * next.length)]
    const hash = keccak256(
      `0x${Math.floor(this.#draw() * 2 ** 48)
        .toString(16)
        .padStart(12, '0')}`,
    )
    const succeeded = chosen !== undefined && chosen.amount <= this.left(chosen.from)
    this.blocks.push({ hash, mined: chosen ? [{ ...chosen, succeeded }] : [] })
  }

  /** Replaces the last block. Its transaction waits again, or is lost by the endpoints. */
  reorganise(): void {
    const [removed] = this.blocks.splice(-1)
    for (const sent of removed?.mined ?? []) if (this.#draw() < 0.5) this.waiting.set(sent.hash, sent)
    this.mine()
  }

  final() {
    return this.blocks.slice(0, -confirmations + 1).flatMap(({ mined }) => mined)
  }
}

/**
 * What a run sees of the chain. `step` is called before each call, and may end the run. `behind`: seconds by which the
 * time of blocks differs from now.
 */
export function viewOf(
  model: ModelChain,
  token: string,
  step: () => void | Promise<void>,
  behind = 0,
): Chain {
  const head = model.blocks.length - 1
  const time = Math.floor(Date.now() / 1000) + behind
  const stepped =
    <Given extends unknown[], Value>(read: (...given: Given) => Value) =>
    async (...given: Given) => {
      await step()
      return read(...given)
    }
  const addressAt = (data: string, at: number) => `0x${data.slice(34 + at * 64, 74 + at * 64)}`
  const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const logOf = ({ hash, from, to, amount }: Sent) => ({
    ...{ address: token, transactionHash: hash, topics: [transferTopic, pad(from), pad(to)] },
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  })
  const amountIn = (data: string) => BigInt(`0x${data.slice(138, 202)}`)
  return {
    ...{ id: 56, head, faults: {}, calls: 0, parallel: 1 },
    nonce: stepped((_: string, at: number) => model.nonce(at)),
    gasPrice: stepped(() => 1n),
    balance: stepped(() => balance),
    block: stepped((number: number) => ({
      number,
      hash: model.blocks[number]?.hash ?? '0x',
      timestamp: time,
    })),
    receipt: stepped((hash: string) => {
      const number = model.blocks.findIndex(({ mined }) => mined.some((each) => each.hash === hash))
      const found = model.blocks[number]?.mined[0]
      if (!found || model.forgets) return null
      return {
        ...{ transactionHash: hash, blockNumber: number, blockHash: model.blocks[number]?.hash },
        ...{ from: '', to: token },
        ...{ status: found.succeeded ? '0x1' : '0x0', logs: found.succeeded ? [logOf(found)] : [] },
      }
    }),
    call: stepped((_: string, data: string) => {
      const decimals = data === '0x313ce567' ? 18n : null
      const spendable = data.startsWith('0xdd62ed3e') ? model.left(addressAt(data, 0)) : balance
      return `0x${(decimals ?? spendable).toString(16).padStart(64, '0')}`
    }),
    logs: stepped((from: number, to: number, [, owner, payee]: string[]) =>
      model.blocks
        .slice(from, to + 1)
        .flatMap(({ mined }) => mined)
        .filter(({ succeeded }) => succeeded)
        .map(logOf)
        .filter(({ topics }) => topics[1] === owner && topics[2] === payee),
    ),
    blockWith: stepped((number: number, of: string) => ({
      transactions: (model.blocks[number]?.mined ?? []).map(({ hash, nonce }) => ({ hash, nonce, from: of })),
    })),
    estimateGas: stepped(() => 60_000n),
    simulate: stepped((_: string, __: string, data: string) => {
      if (amountIn(data) > model.left(addressAt(data, 0))) throw new CallRefused('eth_call is refused')
      return '0x1'
    }),
    send: stepped((raw: `0x${string}`) => {
      const { nonce = 0, data = '0x' } = parseTransaction(raw)
      const hash = keccak256(raw)
      const sent = { hash, nonce, from: addressAt(data, 0), to: addressAt(data, 1), amount: amountIn(data) }
      if (!model.all.some((each) => each.hash === hash)) model.waiting.set(hash, sent)
      return { accepted: 1, refused: null }
    }),
  } as unknown as Chain
}
