import { Trans, useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { useLanguage } from '~/platform/locales/react'
import { Copy } from '~/platform/ui/copy'
import { phoneWallets } from './phone-wallets'

/** The classes of an element that only phones show, and only until a script finds a wallet in the browser. */
export const onPhone = 'pointer-fine:hidden [body:has([data-wallets]>*)_&]:hidden'

/** Links that open a page of this site inside a wallet app. `path`: the page, with nothing that was typed. */
export function OpenInWallet({ path }: { path: string }) {
  const { t } = useLingui()
  const { href } = useLanguage()
  const site = useRouteLoaderData<{ siteUrl: string }>('root')?.siteUrl
  if (!site) return null
  const page = new URL(href(path), site)
  return (
    <>
      <ul className="mt-4 flex flex-wrap gap-3">
        {phoneWallets.map(({ name, link }) => (
          <li key={name}>
            <a href={link(page)} className="button" rel="noopener">
              <Trans comment="wallet: the name of an app, such as MetaMask">Open in {name}</Trans>
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-4">
        <Trans>
          If nothing opens, the app isn't on this phone, or it no longer takes such links. Open your wallet
          app yourself, find its browser, and paste the address of this page. The Binance app opens pages only
          in this way.
        </Trans>
      </p>
      <p className="mt-2">
        <span className="hash wrap-anywhere" dir="ltr">
          {page.href}
        </span>{' '}
        <Copy text={page.href} what={t`the address of this page`} />
      </p>
    </>
  )
}
