import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, PrivateKeyAccount } from 'viem'

/** What a test does to a local chain besides sending transactions. */
export interface Control {
  mine(given: { blocks: number; interval?: number }): Promise<void>
  /** A real node can only raise a balance, and mines a block for it. */
  setBalance(given: { address: Hex; value: bigint }): Promise<void>
  /** A name of this state of the chain, to which `revert` goes back once. */
  snapshot(): Promise<Hex>
  revert(given: { id: Hex }): Promise<void>
  increaseTime(given: { seconds: number }): Promise<unknown>
  /** Forgets a transaction that waits; a real node forgets all. */
  dropTransaction(given: { hash: Hex }): Promise<void>
  /** Replaces the last blocks by empty ones. */
  reorg(depth: number): Promise<void>
}

/** A process with a local chain, which mines a block only on request. */
export interface Node {
  url: string
  control: Control
  /** An account that has coins since the first block, if there is one left. */
  takeAccount(): PrivateKeyAccount | undefined
  close(): Promise<void>
}

/** Waits until the node answers. Stops it, and throws, if it does not within some seconds. */
export async function answers(url: string, child: ChildProcess): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { 'Content-Type': 'application/json' }
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
    if (response?.ok) return
    await sleep(50)
  }
  if (child.exitCode === null) await stop(child)
  throw new Error('The local chain does not start')
}

export function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    process.kill(-(child.pid as number), 'SIGKILL')
  })
}
