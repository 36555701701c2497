import type { AcceptedToken } from '~/donate/accepted'

/**
 * Sends a gift with a wallet in this browser (EIP-1193). It needs script, so it is hidden until donate/payment.ts finds
 * a wallet. The script reads its parameters from the data attributes.
 */
export function WalletForm({
  to,
  toName,
  tokens,
  chainId,
  chainName,
}: {
  to: string
  toName: string
  tokens: AcceptedToken[]
  chainId: number
  chainName: string
}) {
  return (
    <form
      hidden
      className="mt-6 border-t border-hairline pt-5"
      data-wallet-form=""
      data-to={to}
      data-to-name={toName}
      data-chain={chainId}
      data-chain-name={chainName}
      noValidate
    >
      <h3 className="text-xl">Send with the wallet in this browser</h3>
      <div className="mt-3 grid gap-3 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
        <div className="grid gap-1.5">
          <label htmlFor="amount" className="font-semibold">
            Amount
          </label>
          <input
            type="text"
            id="amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            className="field"
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor="token" className="font-semibold">
            Token
          </label>
          <select id="token" name="token" className="field">
            {tokens.map(({ symbol, address, decimals }) => (
              <option key={symbol} value={address ?? ''} data-decimals={decimals}>
                {symbol}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="button button-gold">
          Send
        </button>
      </div>
      <p className="mt-3" role="status" data-wallet-status="" />
    </form>
  )
}
