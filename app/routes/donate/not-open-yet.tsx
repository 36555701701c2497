/** Shown instead of a wallet address that is not configured. `name`: the recipient, if another recipient is open. */
export function NotOpenYet({ name }: { name?: string | undefined }) {
  return (
    <div className="panel mt-6 max-w-[65ch]">
      <p>
        <strong>{name ? `Donations to ${name} are not open yet.` : 'Donations are not open yet.'}</strong>{' '}
        Please don't send anything: any address you get elsewhere isn't ours.
      </p>
      <p className="mt-3">
        <a href="/transparency.atom" className="link inline-block py-1">
          Follow the ledger's feed
        </a>{' '}
        to hear about the first gift.
      </p>
    </div>
  )
}
