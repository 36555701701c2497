import { CallFailure, type RpcAnswer, TimedOut } from './endpoint.ts'

/** The number of blocks before the newest one whose state counts as old: a full node keeps 128. */
const oldBlocks = 1_000
/** The time in milliseconds after which an isolate probes an endpoint again. */
const probeAgainAfter = 10 * 60_000

const zeroHash = `0x${'0'.repeat(64)}`
const zeroAddress = `0x${'0'.repeat(40)}`
const hex = (number: number) => `0x${number.toString(16)}`

/** An endpoint that forgets in which block a transaction is answers for new ones only; the job asks it by block. */
const oldReceipts = 'receipts of old transactions'

/**
 * What the job needs of an endpoint, each with a call that shows whether the endpoint serves it. `oldest`: the hash of
 * the oldest transaction of the ledger, or null.
 */
const probes = {
  logs: (head: number) => ['eth_getLogs', [{ fromBlock: hex(head), toBlock: hex(head), topics: [zeroHash] }]],
  receipts: (_, oldest) => ['eth_getTransactionReceipt', [oldest ?? zeroHash]],
  'old state': (head: number) => ['eth_getBalance', [zeroAddress, hex(Math.max(0, head - oldBlocks))]],
  'final blocks': () => ['eth_getBlockByNumber', ['finalized', false]],
} satisfies Record<string, (head: number, oldest: string | null) => [method: string, params: unknown[]]>

/** Without these, the job cannot use the endpoint for the method. */
const required = { logs: 'eth_getLogs', receipts: 'eth_getTransactionReceipt' } as const

export interface Capabilities {
  serves: string[]
  lacks: string[]
  /** The methods that the job needs and the endpoint does not serve. */
  missing: string[]
}

/** What this isolate has found, by URL, with the time. */
const known = new Map<string, { at: number; found: Capabilities }>()

/**
 * What an endpoint serves, probed at most every 10 minutes, or in each run while it lacks a method that the job needs.
 * Null if it did not answer a probe; only event logs are missing then for 10 minutes, because a node whose index of them
 * has failed answers all else. `calls`: the number of calls that this made. `isAgain`: whatever was found before.
 */
export async function readCapabilities(
  url: string,
  { head, oldest }: { head: number; oldest: () => Promise<string | null> },
  request: (method: string, params: unknown[]) => Promise<RpcAnswer>,
  isAgain = false,
): Promise<{ found: Capabilities | null; calls: number }> {
  const before = isAgain ? undefined : known.get(url)
  if (before && Date.now() - before.at < probeAgainAfter) return { found: before.found, calls: 0 }
  const found: Capabilities = { serves: [], lacks: [], missing: [] }
  const names = Object.keys(probes) as (keyof typeof probes)[]
  const hash = await oldest()
  let isSilent = false
  try {
    for (const name of names) {
      const [method, params] = probes[name](head, hash)
      const answer = await request(method, params).catch((error: unknown) => {
        if (name === 'logs' && error instanceof TimedOut) return null
        throw error
      })
      isSilent ||= answer === null
      const isServed =
        answer !== null && 'result' in answer && (name !== 'final blocks' || answer.result !== null)
      found[isServed ? 'serves' : 'lacks'].push(name)
      if (!isServed && name in required) found.missing.push(method)
      if (name === 'receipts' && hash && answer && 'result' in answer)
        found[answer.result === null ? 'lacks' : 'serves'].push(oldReceipts)
    }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return { found: null, calls: names.length }
  }
  if (found.missing.length === 0 || isSilent) known.set(url, { at: Date.now(), found })
  else known.delete(url)
  return { found, calls: names.length }
}

/** Probes an endpoint again in the next run. */
export function forgetCapabilities(url: string): void {
  known.delete(url)
}

/** 'serves logs, receipts; lacks old state' */
export function capabilitiesInWords({ serves, lacks }: Capabilities): string {
  return [serves.length > 0 && `serves ${serves.join(', ')}`, lacks.length > 0 && `lacks ${lacks.join(', ')}`]
    .filter(Boolean)
    .join('; ')
}
