import { Trans, useLingui } from '@lingui/react/macro'
import { ExplorerLink } from '~/ledger/explorer-link'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { taxPercent } from '~/platform/site'
import { Copy } from '~/platform/ui/copy'

/** The address of the token contract, once it is deployed, and what the token's tax pays for. */
export function TokenContract({ address }: { address: string | undefined }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  return (
    <section
      aria-labelledby="contract"
      className="sheet grid gap-x-10 gap-y-4 md:grid-cols-[1.4fr_1fr] md:items-center"
    >
      <div className="min-w-0">
        <h2 id="contract" className="text-xl">
          <Trans>Token contract address</Trans>
        </h2>
        {address === undefined ? (
          <p className="contract">
            <span className="badge border border-ink text-base">
              <Trans>Coming Soon</Trans>
            </span>
            <span className="hash text-muted" aria-hidden="true">
              0x········
            </span>
          </p>
        ) : (
          <p className="contract justify-between">
            <span className="hash min-w-0 wrap-anywhere">
              <ExplorerLink kind="token" value={address} />
            </span>
            <Copy text={address} what={t`the token contract address`} payable />
          </p>
        )}
      </div>
      <div>
        <p className="flex items-baseline gap-3">
          <span className="font-display text-heading font-bold">{formats.percent(taxPercent)}</span>
          <span className="min-w-0 wrap-anywhere">
            <Trans comment="After the tax in percent">
              tax on every buy and sell. It pays for donations and community dreams.
            </Trans>
          </span>
        </p>
        <p className="mt-2 text-sm text-muted">
          <Trans>
            Not financial advice. A token can lose all its value.{' '}
            <PageLink to="/risk" className="link inline-block py-0.5">
              Read the risks
            </PageLink>
          </Trans>
        </p>
      </div>
    </section>
  )
}
