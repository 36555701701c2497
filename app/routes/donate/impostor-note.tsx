import { useRouteLoaderData } from '@remix-run/react'

/** How to recognise an impostor, and where our addresses can be checked. `to`: the account whose wallet is shown. */
export function ImpostorNote({ to }: { to?: string }) {
  const site = useRouteLoaderData<{ siteUrl: string }>('root')?.siteUrl
  return (
    <p className="mt-8 max-w-[65ch] text-muted">
      A gift gives you no tokens and no rights, and can't be refunded. We never write to you first and never
      ask for your keys
      {site && (
        <>
          , and only <strong>{new URL(site).host}</strong> asks for gifts
        </>
      )}
      . Check our addresses in{' '}
      <a href="/transparency/wallets" className="link">
        our list of wallets
      </a>
      {to && (
        <>
          {' '}
          and in{' '}
          <a href={`/transparency?wallet=${to}#history`} className="link">
            the signed ledger
          </a>
          , which names the address in each payment
        </>
      )}
      .
    </p>
  )
}
