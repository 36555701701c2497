import { Trans } from '@lingui/react/macro'
import { useFollows } from '~/follow/follow'
import { PageLink } from '~/locales/react'

/** Replaces the steps while no wallet is configured. */
export function NotOpenYet() {
  const follows = useFollows()
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
          <Trans>
            <PageLink to="/follow" className="link inline-block py-1">
              Follow us by email
            </PageLink>{' '}
            to hear about the first gift.
          </Trans>
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
