import { Trans, useLingui } from '@lingui/react/macro'
import { ControlDetails, ControlLine } from '~/custody/control-words'
import type { WalletControl } from '~/custody/controls.server'
import { ExplorerLink } from '~/ledger/explorer-link'
import { PoolLink } from '~/ledger/pool-link'
import type { Wallet } from '~/ledger/wallets'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { Copy } from '~/platform/ui/copy'

/**
 * The project's wallets with links to donate, or a notice if no wallet is configured. `controls`: who can move their money;
 * null if it cannot be read.
 */
export function WalletList({
  wallets,
  controls,
}: {
  wallets: Wallet[]
  controls: Record<string, WalletControl> | null
}) {
  if (wallets.length === 0) {
    return (
      <p className="panel mt-6 max-w-[65ch]">
        <Trans>
          We haven't published our wallets yet. Please don't send anything: any address you get elsewhere
          isn't ours.
        </Trans>
      </p>
    )
  }
  return (
    <div className="mt-6 grid gap-8 lg:grid-cols-[1.6fr_1fr]">
      <ul className="border-b border-hairline">
        {wallets.map((wallet) => (
          <WalletEntry key={wallet.name} wallet={wallet} controls={controls} />
        ))}
      </ul>
      <div>
        <h3 className="text-xl">
          <Trans>How to donate</Trans>
        </h3>
        <ol className="mt-3 grid list-decimal gap-2 ps-5 text-muted marker:font-semibold">
          <li>
            <Trans>
              Choose a wallet on{' '}
              <PageLink to="/donate" className="link">
                the donation page
              </PageLink>
              . After pasting its address, compare the whole address.
            </Trans>
          </li>
          <li>
            <Trans>
              Send only a token that we accept, and only on the network shown there. Anything sent on another
              network may be lost.
            </Trans>
          </li>
          <li>
            <Trans>
              Your donation then appears in the history. The donation page says how long this takes.
            </Trans>
          </li>
        </ol>
        <p className="mt-3 text-muted">
          <Trans>
            We never message you first and never ask for your keys. Donations are gifts: they buy nothing and
            can't be refunded.
          </Trans>
        </p>
      </div>
    </div>
  )
}

function WalletEntry({
  wallet: { slug, name, purpose, address },
  controls,
}: {
  wallet: Wallet
  controls: Record<string, WalletControl> | null
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const title = i18n._(key(name))
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-hairline py-4">
      <p>
        <strong>
          <PoolLink slug={slug} name={title} />
        </strong>{' '}
        <span className="text-muted">{i18n._(key(purpose))}</span>
      </p>
      <div className="row-span-2">
        <Copy text={address} what={t`the address of ${title}`} payable />
      </div>
      <p className="hash wrap-anywhere">
        <ExplorerLink kind="address" value={address} />
      </p>
      {controls && (
        <div className="col-span-2">
          <ControlLine control={controls[address.toLowerCase()]} />
          <ControlDetails control={controls[address.toLowerCase()]} />
        </div>
      )}
    </li>
  )
}
