import { Trans } from '@lingui/react/macro'
import { useFollows } from '~/follow/follow'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { tellMe, tellMePath } from '~/platform/rendering/navigation'

/** Replaces the steps while no wallet is configured. */
export function NotOpenYet() {
  const follows = useFollows()
  const { i18n } = useLanguage()
  return (
    <div className="panel max-w-[65ch]">
      <p>
        <Trans>
          <strong>Donations are not open yet.</strong> Please don't send anything: any address you get
          elsewhere isn't ours.
        </Trans>
      </p>
      <p className="mt-3">
        {follows ? (
          <PageLink to={tellMePath(follows)} className="button">
            {i18n._(tellMe)}
          </PageLink>
        ) : (
          <Trans>
            <a href="/transparency.atom" className="link inline-block py-1">
              Follow the ledger's feed
            </a>{' '}
            to hear about the first gift.
          </Trans>
        )}
      </p>
    </div>
  )
}
