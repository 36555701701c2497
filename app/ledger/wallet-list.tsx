import { Copy } from '../ui/copy'
import { type Explorer, explorerLink } from './explorer'
import type { Wallet } from './wallets'

/** The project's wallets with links to donate, or a notice if none is configured. */
export function WalletList({ wallets, explorer }: { wallets: Wallet[]; explorer: Explorer }) {
  if (wallets.length === 0) {
    return (
      <p className="panel mt-6 max-w-[65ch]">
        Our wallets are not published yet. Until they stand here, please send nothing: an address that you
        were given anywhere else is not ours.
      </p>
    )
  }
  return (
    <div className="mt-6 grid gap-8 lg:grid-cols-[1.6fr_1fr]">
      <ul className="sheet divide-y divide-hairline py-1! sm:py-2!">
        {wallets.map((wallet) => (
          <WalletEntry key={wallet.name} wallet={wallet} explorer={explorer} />
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
            , which has its QR code and the accepted tokens.
          </li>
          <li>Send on the network that is named there. What is sent elsewhere may be lost.</li>
          <li>Your donation appears in the history within a few minutes.</li>
        </ol>
        <p className="mt-3 text-muted">
          Nobody of this project will ever write to you first or ask for your keys. Donations are gifts: they
          buy nothing and can't be refunded.
        </p>
      </div>
    </div>
  )
}

function WalletEntry({
  wallet: { name, purpose, address },
  explorer,
}: {
  wallet: Wallet
  explorer: Explorer
}) {
  const link = explorerLink(explorer, 'address', address)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-4">
      <p>
        <strong>{name}</strong> <span className="text-muted">{purpose}</span>
      </p>
      <div className="row-span-2">
        <Copy text={address} what={`the address of: ${name}`} />
      </div>
      <p className="hash wrap-anywhere">
        {link ? (
          <a href={link} className="link" rel="noopener">
            {address}
          </a>
        ) : (
          address
        )}
      </p>
    </li>
  )
}
