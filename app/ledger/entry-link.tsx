import { Trans, useLingui } from '@lingui/react/macro'

/** The link to the proof of an entry of the log. */
export function EntryLink({ logIndex, className = 'link' }: { logIndex: number; className?: string }) {
  const { t } = useLingui()
  return (
    <a
      href={`/transparency/entries/${logIndex}/proof`}
      className={`${className} whitespace-nowrap`}
      download
      aria-label={t`Entry ${logIndex}: proof`}
    >
      <Trans>Entry {logIndex}</Trans>
    </a>
  )
}
