import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { KeyLimits } from '~/custody/control-words'
import { readWalletControls } from '~/custody/controls.server'
import { signingPath } from '~/custody/paths'
import { ledgerFeeds } from '~/ledger/download-links'
import { FormerWallets } from '~/ledger/former-wallets'
import { MatchLine } from '~/ledger/match-line'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { formulas } from '~/ledger/totals'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { listWallets } from '~/ledger/wallets'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { Section } from '~/platform/ui/section'
import { ReconciliationSection } from './reconciliation-table'
import { WalletList } from './wallet-list'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Wallets`,
  description: msg`Our wallets: what the blockchain says each one holds, next to what our ledger says.`,
  path: '/transparency/wallets',
  feed: ledgerFeeds(msg`The ledger`),
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { config } = context
  const data = context.publicData()
  const [reconciliations, controls] = await Promise.all([
    listReconciliations(data),
    readWalletControls(data, config),
  ])
  return {
    reconciliations,
    controls,
    wallets: listWallets(config),
    former: config.FORMER_WALLETS,
  }
}

export default function Wallets() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { reconciliations, controls, wallets, former } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/wallets" />
      <PageHeader title={t`Wallets`} tagline={t`The addresses of our wallets, and what each one holds.`} />
      <Section id="wallets" heading="wallets-title" title={t`Our wallets`} className="">
        <MatchLine reconciliations={reconciliations} wallets={wallets} />
        <WalletList wallets={wallets} controls={controls} />
        {wallets.length > 0 && (
          <p className="mt-3 max-w-[65ch] text-muted">
            <KeyLimits />{' '}
            <PageLink to={signingPath} className="link">
              <Trans>How a holder shows a key</Trans>
            </PageLink>
          </p>
        )}
        <FormerWallets wallets={former} />
      </Section>
      <ReconciliationSection reconciliations={reconciliations} wallets={wallets} />
      <Section heading="formulas" title={t`How we count`}>
        <dl className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-3">
          {formulas.map(({ name, text }) => (
            <div key={name.id} className="border-t-2 border-ink pt-4">
              <dt className="font-display text-lg font-semibold">{i18n._(name)}</dt>
              <dd className="mt-1 text-muted">{i18n._(text)}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-6 max-w-[65ch] text-muted">
          <Trans>
            Totals count only payments that are verified and have a dollar value. We still list everything
            else. We never edit a payment’s entry: a correction is a new one, and the old one stays.{' '}
            <PageLink to="/transparency/verify" className="link">
              Check it yourself
            </PageLink>
            .
          </Trans>
        </p>
      </Section>
    </>
  )
}
