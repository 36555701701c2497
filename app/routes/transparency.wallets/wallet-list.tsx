import { ExplorerLink } from '~/ledger/explorer-link'
import type { Wallet } from '~/ledger/wallets'
import { Copy } from '~/ui/copy'

/** The project's wallets with links to donate, or a notice if no wallet is configured. */
export function WalletList({ wallets }: { wallets: Wallet[] }) {
  if (wallets.length === 0) {
    return (
      <p className="panel mt-6 max-w-[65ch]">
        We haven't published our wallets yet. Please don't send anything: any address you get elsewhere isn't
        ours.
      </p>
    )
  }
  return (
    <div className="mt-6 grid gap-8 lg:grid-cols-[1.6fr_1fr]">
      <ul className="sheet divide-y divide-hairline py-1! sm:py-2!">
        {wallets.map((wallet) => (
          <WalletEntry key={wallet.name} wallet={wallet} />
        ))}
      </ul>
      <div>
        <h3 className="text-xl">How to donate</h3>
        <ol className="mt-3 grid list-decimal gap-2 pl-5 text-muted marker:font-semibold">
          <li>
            Choose a wallet on{' '}
            <a href="/donate" className="link">
              the donation page
            </a>
            . After pasting its address, compare the whole address.
          </li>
          <li>
            Send only a token that we accept, and only on the network shown there. Anything sent on another
            network may be lost.
          </li>
          <li>Your donation then appears in the history. The donation page says how long this takes.</li>
        </ol>
        <p className="mt-3 text-muted">
          We never message you first and never ask for your keys. Donations are gifts: they buy nothing and
          can't be refunded.
        </p>
      </div>
    </div>
  )
}

function WalletEntry({ wallet: { name, purpose, address } }: { wallet: Wallet }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-4">
      <p>
        <strong>{name}</strong> <span className="text-muted">{purpose}</span>
      </p>
      <div className="row-span-2">
        <Copy text={address} what={`the address of ${name}`} payable />
      </div>
      <p className="hash wrap-anywhere">
        <ExplorerLink kind="address" value={address} />
      </p>
    </li>
  )
}
