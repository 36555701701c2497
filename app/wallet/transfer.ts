import { say } from '../platform/locales/say'
import type { paymentSentences } from './payment-sentences'
import { type Provider, quantity, rejectionOf } from './provider'
import { WalletRefused } from './refused'

/** A payment to the wallet at `to`. */
export interface Transfer {
  to: string
  /** The address of the token's contract; empty for the chain's native coin. */
  token: string
  symbol: string
  units: bigint
  /** Not empty to let `to` spend the amount instead of sending it. */
  approves?: string | undefined
}

/** The call for a transfer, in the form in which the wallet sends it. */
interface Call {
  from: string
  to: string
  value?: string
  data?: string
}

/** An argument of a contract call: 32 bytes in hex. */
function word(hex: string): string {
  return hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
}

/** The data of the call approve(spender, amount). */
export function approveData(spender: string, units: bigint): string {
  return `0x095ea7b3${word(spender)}${word(quantity(units))}`
}

function callOf({ to, token, units, approves }: Transfer, from: string): Call {
  if (approves) return { from, to: token, data: approveData(to, units) }
  if (!token) return { from, to, value: quantity(units) }
  // The selector of transfer(address,uint256), followed by its arguments.
  return { from, to: token, data: `0xa9059cbb${word(to)}${word(quantity(units))}` }
}

/** The balance of the account, in base units; null if the wallet returns no number. */
async function balanceOf(provider: Provider, account: string, token: string): Promise<bigint | null> {
  const balance = token
    ? // The selector of balanceOf(address), followed by its argument.
      { method: 'eth_call', params: [{ to: token, data: `0x70a08231${word(account)}` }, 'latest'] }
    : { method: 'eth_getBalance', params: [account, 'latest'] }
  const held = String(await provider.request(balance))
  return /^0x[0-9a-f]+$/i.test(held) ? BigInt(held) : null
}

/** Tries the transfer without sending it. The call to send; throws WalletRefused if it would fail. */
export async function simulate(provider: Provider, from: string, transfer: Transfer): Promise<Call> {
  const call = callOf(transfer, from)
  const balance = transfer.approves ? null : await balanceOf(provider, from, transfer.token)
  if (balance !== null && balance < transfer.units)
    throw new WalletRefused(say<typeof paymentSentences>('notEnough', { symbol: transfer.symbol }))
  let result: unknown
  try {
    result = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
    await provider.request({ method: 'eth_estimateGas', params: [call] })
  } catch (error) {
    if (rejectionOf(error) === 'offline') throw error
    throw new WalletRefused(say<typeof paymentSentences>('networkRefuses'))
  }
  // A token's method returns true; some old tokens return no value.
  if (transfer.token && result !== '0x' && BigInt(String(result)) !== 1n)
    throw new WalletRefused(say<typeof paymentSentences>('tokenRefuses'))
  return call
}

/** Sends the call. Returns the hash of its transaction. Throws WalletRefused if the wallet returns no hash. */
export async function sendCall(provider: Provider, call: Call): Promise<string> {
  const hash = String(await provider.request({ method: 'eth_sendTransaction', params: [call] }))
  if (/^0x[0-9a-f]{64}$/i.test(hash)) return hash
  throw new WalletRefused(say<typeof paymentSentences>('noTransaction'))
}
