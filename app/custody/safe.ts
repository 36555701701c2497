import { decodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Chain } from '../chain/rpc.ts'

/**
 * Hashes of the code of Safe's published contracts, by version: of the packages @gnosis.pm/safe-contracts 1.3.0 and
 * @safe-global/safe-contracts 1.4.1, and those of the singletons in @safe-global/safe-deployments too. A contract that only
 * answers like a Safe has another code.
 */
const proxies = new Set<Hex>([
  '0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000',
  '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c',
])
const singletons: Record<Hex, string> = {
  '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e': '1.3.0',
  '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f': '1.3.0 L2',
  '0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4': '1.4.1',
  '0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff': '1.4.1 L2',
}

/** Where a Safe stores its guard and its fallback handler. */
const guardSlot = '4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8'
const handlerSlot = '6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5'

/** A Safe with more owners or modules counts as an unknown contract. */
const most = 50
const word = (value: number) => value.toString(16).padStart(64, '0')

/** The calls of a proxy and of a Safe. */
const masterCopy = '0xa619486e'
const getOwners = '0xa0e67e2b'
const getThreshold = '0xe75235b8'
/** getModulesPaginated, from the beginning of the list. The end of the list is 1, which is no module. */
const getModules = `0xcc2f8452${word(1)}${word(most)}`
const getStorageAt = (slot: string) => `0x5624b25b${slot}${word(1)}`

/** Who can move the money of a wallet. */
export interface Control {
  control: 'key' | 'safe' | 'contract'
  version: string | null
  owners: string[]
  threshold: number | null
  modules: string[]
  guard: string | null
  handler: string | null
}

const none = { version: null, owners: [], threshold: null, modules: [], guard: null, handler: null }
const unknown: Control = { control: 'contract', ...none }

/** Reads who can move the money of `wallet` at the block `at`. Throws if the endpoints refuse a call. */
export async function readControl(chain: Chain, wallet: string, at: number): Promise<Control> {
  const code = await chain.code(wallet, at)
  if (code === '0x') return { control: 'key', ...none }
  if (!proxies.has(keccak256(code))) return unknown
  const ask = (data: string) => chain.call(wallet, data, at)
  // The code of the proxy is known, so this is the contract whose code it runs.
  const [singleton] = decodeAbiParameters([{ type: 'address' }], await ask(masterCopy))
  const version = singletons[keccak256(await chain.code(singleton, at))]
  if (!version) return unknown
  const [owners] = decodeAbiParameters([{ type: 'address[]' }], await ask(getOwners))
  const [threshold] = decodeAbiParameters([{ type: 'uint256' }], await ask(getThreshold))
  const [modules, end] = decodeAbiParameters(
    [{ type: 'address[]' }, { type: 'address' }],
    await ask(getModules),
  )
  if (owners.length > most || BigInt(end) !== 1n) return unknown
  const stored = async (slot: string) => {
    const [bytes] = decodeAbiParameters([{ type: 'bytes' }], await ask(getStorageAt(slot)))
    return BigInt(bytes) === 0n ? null : `0x${bytes.slice(-40)}`
  }
  return {
    control: 'safe',
    version,
    owners: sorted(owners),
    threshold: Number(threshold),
    modules: sorted(modules),
    guard: await stored(guardSlot),
    handler: await stored(handlerSlot),
  }
}

const sorted = (addresses: readonly string[]) => addresses.map((address) => address.toLowerCase()).sort()
