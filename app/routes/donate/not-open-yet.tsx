import { Trans } from '@lingui/react/macro'
/**
 * Replaces a wallet address that is not configured. `name`: the recipient, if another recipient has a wallet.
 */
export function NotOpenYet({ name }: { name?: string | undefined }) {
  return (
    <div className="panel mt-6 max-w-[65ch]">
      <p>
        {name ? (
          <Trans>
            <strong>Donations to {name} are not open yet.</strong> Please don't send anything: any address you
            get elsewhere isn't ours.
          </Trans>
        ) : (
          <Trans>
            <strong>Donations are not open yet.</strong> Please don't send anything: any address you get
            elsewhere isn't ours.
          </Trans>
        )}
      </p>
      <p className="mt-3">
        <Trans>
          <a href="/transparency.atom" className="link inline-block py-1">
            Follow the ledger's feed
          </a>{' '}
          to hear about the first gift.
        </Trans>
      </p>
    </div>
  )
}
