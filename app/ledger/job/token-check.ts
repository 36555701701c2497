import { CallRefused } from '../../chain/chain-errors.ts'
import { type Chain, mapInBatches } from '../../chain/rpc.ts'
import type { Token, Watch } from './watch.ts'

/** The calls of a token, as constants, so that the operator's commands start without loading viem. */
export const decimalsOf = '0x313ce567'
const symbolOf = '0x95d89b41'
const totalSupplyOf = '0x18160ddd'

/**
 * Functions of contracts that change balances without transfers, each with an argument: of tokens that share a fee among
 * all holders (tokenFromReflection), of shares in a pool (sharesOf), and of deposits that earn interest
 * (scaledBalanceOf).
 */
const elasticFunctions = ['0x2d838119', '0xf5eb42dc', '0x1da24f3e'].map((name) => name + '0'.repeat(64))

/**
 * What the contract of a token says: null if it is no token. `isElastic`: it changes balances without transfers, so that
 * the sum of the transfers is not the balance.
 */
type Facts = { decimals: number; symbol: string | null; isElastic: boolean } | null

/** The time in milliseconds after which an isolate reads the decimals of a contract again. */
const readAgainAfter = 10 * 60_000
/** What this isolate has read, by chain and address, with the time. */
const known = new Map<string, { at: number; facts: Facts }>()

/** The tokens, by chain and address, whose balances a comparison found to change without transfers. */
const changing = new Set<string>()

/**
 * Compares each token of CHAIN_TOKENS with its contract. An isolate reads each contract in its first run, and its decimals
 * again every 10 minutes, because the code behind a proxy can change at any time. Returns the watch with the contracts'
 * decimals, and without a value of a token that differs; `faults` has a sentence for each difference, and for each token
 * whose balances change without transfers.
 */
export async function checkTokens(chain: Chain, watch: Watch): Promise<{ watch: Watch; faults: string[] }> {
  const keyOf = (address: string) => `${chain.id} ${address}`
  const contracts = watch.tokens.flatMap(({ address }) => address ?? [])
  for (const address of contracts) {
    const before = known.get(keyOf(address))
    if (before && Date.now() - before.at < readAgainAfter) continue
    known.set(keyOf(address), { at: Date.now(), facts: await readFacts(chain, address, before?.facts) })
  }
  const faults: string[] = []
  const tokens = watch.tokens.map((token): Token => {
    if (!token.address) return token
    const facts = known.get(keyOf(token.address))?.facts ?? null
    const fault = differenceOf(token, facts)
    if (facts?.isElastic || changing.has(keyOf(token.address))) faults.push(changesWithoutTransfers(token))
    if (!fault) return { ...token, isElastic: facts?.isElastic ?? false }
    faults.push(`${token.symbol}: ${fault}`)
    return { ...token, decimals: facts?.decimals ?? token.decimals, value: null }
  })
  return { watch: { ...watch, tokens }, faults }
}

/** The sentence about a token whose balances change without transfers. */
export function changesWithoutTransfers({ symbol }: Pick<Token, 'symbol'>): string {
  return `${symbol}: its contract changes balances without transfers, so they are not compared`
}

/** Remembers for this isolate whether a comparison found that balances of a token change without transfers. */
export function noteChanges(chain: Pick<Chain, 'id'>, address: string, isChanging: boolean): void {
  if (isChanging) changing.add(`${chain.id} ${address}`)
  else changing.delete(`${chain.id} ${address}`)
}

function differenceOf({ symbol, decimals }: Token, facts: Facts): string | null {
  if (!facts) return 'the address of CHAIN_TOKENS is not a token contract with decimals'
  if (facts.decimals !== decimals)
    return `CHAIN_TOKENS says ${decimals} decimals, its contract ${facts.decimals}`
  if (facts.symbol !== null && facts.symbol.toLowerCase() !== symbol.toLowerCase())
    return `the symbol of its contract is ${facts.symbol}`
  return null
}

/** The decimals, and the symbol unless it was read before. */
async function readFacts(chain: Chain, address: string, before: Facts | undefined): Promise<Facts> {
  const decimals = await read(chain, address, decimalsOf)
  if (decimals === null || !/^0x0{62}[0-4][0-9a-f]$/.test(decimals)) return null
  if (before) return { ...before, decimals: Number(decimals) }
  const symbol = await read(chain, address, symbolOf)
  const elastic = await mapInBatches(chain, elasticFunctions, (data) => read(chain, address, data))
  return {
    decimals: Number(decimals),
    symbol: symbol && textOf(symbol),
    isElastic: elastic.some((result) => result?.length === 66),
  }
}

/** The number of base units of a token that exist after a block; null if its contract does not say. */
export async function supplyOf(chain: Chain, address: string, at = chain.head): Promise<bigint | null> {
  const supply = await read(chain, address, totalSupplyOf, at)
  return supply?.length === 66 ? BigInt(supply) : null
}

/** The result of a call at a block, or the newest; null if the contract refuses it or there is no contract. */
async function read(chain: Chain, to: string, data: string, at = chain.head): Promise<string | null> {
  try {
    const result = await chain.call(to, data, at)
    return result === '0x' ? null : result
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** A text as contracts return it: with its length, or in 32 bytes as the first tokens did. Null if it is neither. */
function textOf(data: string): string | null {
  const digits = data.slice(2)
  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const [hex, size] =
    digits.length === 64 ? [digits, 32] : [digits.slice(128), Number.parseInt(digits.slice(64, 128), 16)]
  if (!(size > 0 && size <= 64) || hex.length < size * 2) return null
  return new TextDecoder().decode(bytes(hex.slice(0, size * 2))).replace(/\0+$/, '') || null
}
