import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { CallRefused } from '../../app/chain/chain-errors.ts'
import type { Chain } from '../../app/chain/rpc.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import { transferTopic } from '../../app/ledger/token-transfers.ts'

/** The number of blocks after which a transaction of the model is final. */
export const confirmations = 3
const funds = 10n ** 24n
const gwei = 10n ** 9n

/** A configuration with one wallet. */
export const watchOf = (treasury: string): Watch => ({
  ...{ chainId: 56, urls: [], startBlock: 0, confirmations, tokens: [], taxSenders: [], dreamWallets: [] },
  ...{ accounts: new Map([[treasury, 'treasury']]), goals: new Map() },
})

/**
 * What the contract of a token does. lies: it says other decimals. reverts: it refuses each call. removed: there is no
 * contract. paused: it refuses transfers. silent: its transfers return nothing. fee: a hundredth goes to another address.
 */
export type TokenFault = 'lies' | 'reverts' | 'removed' | 'paused' | 'silent' | 'fee' | null

/** A transfer: by the payer, with its nonce and bytes, or by hand. */
export interface Sent {
  hash: string
  /** Null if people sent it: their nonces are not the payer's. */
  nonce: number | null
  sender: string
  token: string
  from: string
  to: string
  amount: bigint
  gas: bigint
  gasPrice: bigint
}
export interface Mined extends Sent {
  succeeded: boolean
  /** What arrived, in base units; 0 if it moved nothing. */
  moved: bigint
}

/**
 * A chain in memory: blocks, transactions that wait, tokens, and what each wallet allows the payer. It is honest about what it
 * knows: endpoints that lie one by one are in the tests of the quorum.
 */
export class ModelChain {
  blocks: { hash: string; mined: Mined[] }[] = []
  waiting = new Map<string, Sent>()
  allowance: bigint
  readonly faults = new Map<string, TokenFault>()
  /** Recipients that the tokens refuse. */
  readonly refused = new Set<string>()
  /** The gas of a transfer. */
  readonly gas = new Map<string, bigint>()
  /** What the endpoints ask for gas, and below which price nodes refuse a transaction and mine none. */
  gasPrice = gwei
  leastGasPrice = gwei / 20n
  /** receipts: the endpoints have no receipts, except by block. logs: also no event logs. */
  forgets: 'receipts' | 'logs' | null = null
  readonly #draw: () => number

  constructor(draw: () => number, allowance: bigint) {
    this.#draw = draw
    this.allowance = allowance
    for (let block = 0; block < 5; block++) this.mine()
  }

  nonce(of?: string, at = this.blocks.length - 1): number {
    return this.blocks
      .slice(0, at + 1)
      .reduce((sum, { mined }) => sum + mined.filter((one) => isOf(one, of)).length, 0)
  }

  get all() {
    return this.blocks.flatMap(({ mined }) => mined)
  }

  movedFrom(owner: string, token?: string): bigint {
    return this.all.reduce(
      (sum, { moved, from, token: of }) => sum + (from === owner && (!token || of === token) ? moved : 0n),
      0n,
    )
  }

  /** What the payers may still spend of a token of a wallet. */
  left(owner: string, token?: string): bigint {
    const spent = this.all.reduce(
      (sum, { nonce, moved, from, token: of }) =>
        sum + (nonce !== null && from === owner && (!token || of === token) ? moved : 0n),
      0n,
    )
    return this.allowance > spent ? this.allowance - spent : 0n
  }

  fault(token: string): TokenFault {
    return this.faults.get(token) ?? null
  }

  refuses(token: string, to: string): boolean {
    return ['reverts', 'paused'].includes(`${this.fault(token)}`) || this.refused.has(to)
  }

  mine(): void {
    const ready = [...this.waiting.values()].filter(
      ({ nonce, sender, gasPrice }) =>
        nonce === null || (nonce === this.nonce(sender) && gasPrice >= this.leastGasPrice),
    )
    const chosen = ready[Math.floor(this.#draw() * ready.length)]
    const hash = keccak256(
      `0x${Math.floor(this.#draw() * 2 ** 48)
        .toString(16)
        .padStart(12, '0')}`,
    )
    if (chosen) this.waiting.delete(chosen.hash)
    this.blocks.push({ hash, mined: chosen ? [this.#execute(chosen)] : [] })
  }

  #execute(sent: Sent): Mined {
    const fault = this.fault(sent.token)
    // A call to an address without a contract succeeds, and does nothing.
    if (fault === 'removed') return { ...sent, succeeded: true, moved: 0n }
    const fails =
      this.refuses(sent.token, sent.to) ||
      sent.gas < (sent.amount === 0n ? 21_000n : (this.gas.get(sent.token) ?? 60_000n)) ||
      (sent.nonce !== null && sent.amount > this.left(sent.from, sent.token))
    if (fails) return { ...sent, succeeded: false, moved: 0n }
    return {
      ...sent,
      succeeded: true,
      moved: fault === 'fee' ? sent.amount - sent.amount / 100n : sent.amount,
    }
  }

  /** Replaces the last blocks. Their transactions wait again, or are lost by the endpoints. */
  reorganise(depth = 1): void {
    const removed = this.blocks.splice(-depth)
    for (const { succeeded: _, moved: __, ...sent } of removed.flatMap(({ mined }) => mined))
      if (this.#draw() < 0.5) this.waiting.set(sent.hash, sent)
    for (let block = 0; block < depth; block++) this.mine()
  }

  final() {
    return this.blocks.slice(0, -confirmations + 1).flatMap(({ mined }) => mined)
  }
}

const isOf = ({ nonce, sender }: Sent, of?: string) => nonce !== null && (of === undefined || sender === of)

/**
 * What a run sees of the chain. `step` is called before each call, and may end the run. `behind`: seconds by which the
 * time of blocks differs from now.
 */
export function viewOf(
  model: ModelChain,
  decimals: (token: string) => number | undefined,
  step: () => void | Promise<void>,
  behind = 0,
): Chain {
  const head = model.blocks.length - 1
  const time = Math.floor(Date.now() / 1000) + behind
  const view = { ...{ id: 56, head, newest: head, faults: {}, calls: 0, parallel: 1 } } as Chain
  const stepped =
    <Given extends unknown[], Value>(read: (...given: Given) => Value) =>
    async (...given: Given) => {
      view.calls++
      await step()
      return read(...given)
    }
  const addressAt = (data: string, at: number) => `0x${data.slice(34 + at * 64, 74 + at * 64)}`
  const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const logOf = ({ hash, token, from, to, moved }: Mined) => ({
    ...{ address: token, transactionHash: hash, topics: [transferTopic, pad(from), pad(to)] },
    ...{ data: `0x${moved.toString(16).padStart(64, '0')}`, logIndex: 0, blockNumber: numberOf(hash) },
  })
  const numberOf = (hash: string) =>
    model.blocks.findIndex(({ mined }) => mined.some((each) => each.hash === hash))
  const amountIn = (data: string) => BigInt(`0x${data.slice(138, 202) || '0'}`)
  const refused = () => {
    throw new CallRefused('eth_call is refused')
  }
  return Object.assign(view, {
    nonce: stepped((of: string, at: number) => model.nonce(of, at)),
    gasPrice: stepped(() => model.gasPrice),
    balance: stepped(() => funds),
    block: stepped((number: number) => ({
      number,
      hash: model.blocks[number]?.hash ?? '0x',
      timestamp: time - 3 * (head - number),
    })),
    receipt: stepped((hash: string, block?: number) => {
      const number = numberOf(hash)
      const found = model.blocks[number]?.mined[0]
      if (!found || (model.forgets && block === undefined)) return null
      return {
        ...{ transactionHash: hash, blockNumber: number, blockHash: model.blocks[number]?.hash },
        ...{ from: found.sender, to: found.token, status: found.succeeded ? '0x1' : '0x0' },
        logs: found.moved > 0n ? [logOf(found)] : [],
      }
    }),
    call: stepped((token: string, data: string) => {
      const fault = model.fault(token)
      if (fault === 'reverts') return refused()
      if (fault === 'removed') return '0x'
      const ofContract = decimals(token)
      const said = fault === 'lies' ? 6 : (ofContract ?? 18)
      const spendable = data.startsWith('0xdd62ed3e') ? model.left(addressAt(data, 0), token) : funds
      const value = data === '0x313ce567' ? BigInt(said) : spendable
      return `0x${value.toString(16).padStart(64, '0')}`
    }),
    logs: stepped((from: number, to: number, [, owner, payee]: string[], [token]: string[]) =>
      model.forgets === 'logs'
        ? []
        : model.blocks
            .slice(from, to + 1)
            .flatMap(({ mined }) => mined)
            .filter((each) => each.moved > 0n && each.token === token)
            .map(logOf)
            .filter(({ topics }) => topics[1] === owner && topics[2] === payee),
    ),
    blockWith: stepped((number: number, of: string) => ({
      transactions: (model.blocks[number]?.mined ?? [])
        .filter((each) => isOf(each, of))
        .map(({ hash, nonce }) => ({ hash, nonce, from: of })),
    })),
    estimateGas: stepped((_: string, token: string, data: string) =>
      model.refuses(token, addressAt(data, 1)) ? null : (model.gas.get(token) ?? 60_000n),
    ),
    simulate: stepped((_: string, token: string, data: string, __: number, gas: bigint) => {
      if (model.refuses(token, addressAt(data, 1))) return refused()
      if (gas < (model.gas.get(token) ?? 60_000n)) return refused()
      if (amountIn(data) > model.left(addressAt(data, 0), token)) return refused()
      return ['silent', 'removed'].includes(`${model.fault(token)}`) ? '0x' : '0x1'
    }),
    send: stepped(async (raw: `0x02${string}`) => {
      const { nonce = 0, data = '0x', to = '0x', gas = 0n, gasPrice = 0n } = parseTransaction(raw)
      if (gasPrice < model.leastGasPrice) return { accepted: 0, refused: 'transaction underpriced' }
      const sender = (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()
      const hash = keccak256(raw)
      const [from, payee] = [addressAt(data, 0), addressAt(data, 1)]
      const sent = { hash, nonce, sender, token: `${to}`.toLowerCase(), from, to: payee }
      if (!model.all.some((each) => each.hash === hash))
        model.waiting.set(hash, { ...sent, amount: amountIn(data), gas, gasPrice })
      return { accepted: 1, refused: null }
    }),
  }) as unknown as Chain
}
