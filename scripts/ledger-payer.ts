import { addressOf } from '../app/chain/stored-transaction.server.ts'
import { allowanceCall, numberOf } from '../app/chain/token-calls.ts'
import { formatUnits } from '../app/wallet/units.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

/** Prints the payer's address, its coins for gas, and what each paying wallet lets it spend of each dollar token. */
export async function showPayer({ config, watch, chain: open }: Operator): Promise<void> {
  const { PAYER_KEY: key } = config
  if (!key)
    throw new UsageError('Set PAYER_KEY first: the key of a new address that is used for nothing else.')
  const [{ accounts, tokens }, chain] = [watch(), await open()]
  const payer = addressOf(key)
  if (accounts.has(payer)) throw new UsageError('PAYER_KEY is the key of a paying wallet. Use a new key.')
  console.log(`payer          ${payer}`)
  console.log(`gas            ${formatUnits(await chain.balance(payer, chain.head), 18)}`)
  for (const [wallet, account] of accounts)
    for (const { symbol, address, decimals, value } of tokens)
      if (address && value === 'usd') {
        const allowed = await numberOf(chain.call(address, allowanceCall(wallet, payer), chain.head))
        const amount = allowed === null ? 'unknown' : formatUnits(BigInt(allowed), decimals)
        console.log(`allowance      ${amount} ${symbol} of ${account} (${wallet})`)
      }
}
