import { Trans } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { Gap, PageLink } from '~/platform/locales/react'

/**
 * How to recognise an impostor, and where to check our addresses. `to`: the slug of the account or goal whose
 * wallet is shown.
 */
export function ImpostorNote({ to, isGoal = false }: { to?: string; isGoal?: boolean }) {
  const site = useRouteLoaderData<{ siteUrl: string }>('root')?.siteUrl
  const host = site && new URL(site).host
  return (
    <p className="mt-8 max-w-[65ch] text-muted">
      {host ? (
        <Trans>
          A gift gives you no tokens and no rights, and can't be refunded. We never write to you first and
          never ask for your keys, and only <strong>{host}</strong> asks for gifts.
        </Trans>
      ) : (
        <Trans>
          A gift gives you no tokens and no rights, and can't be refunded. We never write to you first and
          never ask for your keys.
        </Trans>
      )}
      <Gap />
      {to && isGoal ? (
        <Trans>
          Check the address on{' '}
          <PageLink to={`/giveback/${to}`} className="link">
            the page of the goal
          </PageLink>
          .
        </Trans>
      ) : to ? (
        <Trans>
          Check our addresses in{' '}
          <PageLink to="/transparency/wallets" className="link">
            our list of wallets
          </PageLink>{' '}
          and in{' '}
          <PageLink to={`/transparency?wallet=${to}#history`} className="link">
            the signed ledger
          </PageLink>
          , which names the address in each payment.
        </Trans>
      ) : (
        <Trans>
          Check our addresses in{' '}
          <PageLink to="/transparency/wallets" className="link">
            our list of wallets
          </PageLink>
          .
        </Trans>
      )}
    </p>
  )
}
