/** Shown in place of a wallet address that is not configured. `name`: only this recipient has no wallet. */
export function NotOpenYet({ name }: { name?: string | undefined }) {
  return (
    <div className="panel mt-6 max-w-[65ch]">
      <p>
        <strong>Donations are not open yet</strong>
        {name && ` for ${name}`}. Please send nothing: an address that you were given anywhere else is not
        ours.
      </p>
      <p className="mt-3">
        <a href="/transparency.atom" className="link inline-block py-1">
          Follow the ledger's feed
        </a>{' '}
        to hear of the first gift.
      </p>
    </div>
  )
}
