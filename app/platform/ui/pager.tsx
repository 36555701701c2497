import { Trans } from '@lingui/react/macro'
import { PageLink } from '../locales/react'
import { Arrow } from './arrow'

/** Links to the newer and the older page of a list. */
export function Pager({
  label,
  newer,
  older,
}: {
  label: string
  newer: string | null
  older: string | null
}) {
  if (!newer && !older) return null
  return (
    <nav aria-label={label} className="mt-6 flex justify-between gap-4">
      {newer && (
        <PageLink to={newer} rel="prev" className="button">
          <Arrow back /> <Trans>Newer</Trans>
        </PageLink>
      )}
      {older && (
        <PageLink to={older} rel="next" className="button ms-auto">
          <Trans>Older</Trans> <Arrow />
        </PageLink>
      )}
    </nav>
  )
}

/** The notice above the first page if the URL has an invalid cursor. */
export function NoSuchPage() {
  return (
    <p className="mt-3 text-bad">
      <Trans>That page doesn't exist. Here are the newest ones.</Trans>
    </p>
  )
}

/** The notice that replaces the list if a cursor points past the last row. */
export function NothingOlder({ newest }: { newest: string }) {
  return (
    <p>
      <Trans>
        That's everything.{' '}
        <PageLink to={newest} className="link">
          Back to the newest
        </PageLink>
      </Trans>
    </p>
  )
}
