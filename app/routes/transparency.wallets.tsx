import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ledgerFeeds } from '~/ledger/download-links'
import { explorerOf } from '~/ledger/explorer'
import { FormerWallets } from '~/ledger/former-wallets'
import { MatchLine } from '~/ledger/match-line'
import { ReconciliationSection } from '~/ledger/reconciliation-table'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { formulas } from '~/ledger/totals'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { WalletList } from '~/ledger/wallet-list'
import { listWallets } from '~/ledger/wallets'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { PageHeader } from '~/ui/page-header'

export const handle = cached()

export const meta = pageMeta({
  title: 'Wallets',
  description: 'The wallets of the project: what they hold on chain, beside what the ledger says.',
  path: '/transparency/wallets',
  feed: ledgerFeeds('The ledger'),
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { config, log } = context
  return {
    reconciliations: await listReconciliations(context.publicBackend(), log),
    wallets: listWallets(config),
    former: config.FORMER_WALLETS,
    explorer: explorerOf(config),
  }
}

export default function Wallets() {
  const { reconciliations, wallets, former, explorer } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/wallets" />
      <PageHeader title="Wallets" tagline="What each wallet holds on chain, beside what the ledger says." />
      <section id="wallets" className="column" aria-labelledby="wallets-title">
        <h2 id="wallets-title" className="text-heading">
          Our wallets
        </h2>
        <MatchLine reconciliations={reconciliations} />
        <WalletList wallets={wallets} explorer={explorer} />
        <FormerWallets wallets={former} />
      </section>
      <ReconciliationSection reconciliations={reconciliations} wallets={wallets} explorer={explorer} />
      <section className="column pt-section" aria-labelledby="formulas">
        <h2 id="formulas" className="text-heading">
          How the figures are made
        </h2>
        <dl className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-3">
          {formulas.map(({ name, text }) => (
            <div key={name} className="border-t-2 border-ink pt-4">
              <dt className="font-display text-lg font-semibold">{name}</dt>
              <dd className="mt-1 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-6 max-w-[65ch] text-muted">
          Only what is verified on chain and has a value in dollars is in a sum; every other row is listed and
          counted. A row is never changed: a correction is a new one in its place, and the former one is kept.{' '}
          <a href="/transparency/verify" className="link">
            Check that for yourself
          </a>
          .
        </p>
      </section>
    </>
  )
}
