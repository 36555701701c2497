import type { AcceptedToken } from '~/donate/accepted'

/**
 * Sends a gift with a wallet in this browser. It needs script, so it is hidden until payment.ts has found a wallet and
 * added a button for each. The script reads its parameters from the data attributes.
 */
export function WalletForm({
  to,
  toName,
  cause,
  tokens,
  chainId,
  chainName,
}: {
  to: string
  toName: string
  /** The recipient inside a sentence, for the thanks. */
  cause: string
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
      data-cause={cause}
      data-chain={chainId}
      data-chain-name={chainName}
      noValidate
    >
      <h3 className="text-xl">Send with a wallet in this browser</h3>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
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
            aria-describedby="parsed wallet-status"
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
      </div>
      <p id="parsed" className="figures mt-3 font-semibold" data-parsed="" />
      <div className="mt-3 flex flex-wrap gap-3" data-wallets="" />
      <p id="wallet-status" className="mt-3" role="status" data-wallet-status="" />
    </form>
  )
}
