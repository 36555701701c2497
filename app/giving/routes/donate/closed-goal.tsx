import { Trans } from '@lingui/react/macro'
import { ListUnavailable } from '~/ledger/unavailable'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { ClosedFor } from './goal-recipient.server'

/** Explains why no gift to a goal is possible. Shows no wallet. */
export function ClosedGoal({
  slug,
  why,
  again,
}: {
  slug: string
  why: ClosedFor
  /** The amount that the visitor entered, and the URL to which the form can be submitted again. */
  again?: { typed: string; action: string } | undefined
}) {
  return (
    <div className="column max-w-[65ch] pt-section">
      <h1 className="text-title">
        <Trans>No gifts to this goal</Trans>
      </h1>
      {why === 'unknown' ? (
        <>
          <ListUnavailable />
          {again && <Again {...again} />}
        </>
      ) : (
        <p className="mt-5 text-lg">
          <Why why={why} />
        </p>
      )}
      <p className="mt-6 flex flex-wrap gap-3">
        {why !== 'none' && (
          <PageLink to={`/giveback/${slug}`} className="button button-ink">
            <Trans>See the goal</Trans>
          </PageLink>
        )}
        <PageLink to="/giveback" className="button">
          <Trans>See the open goals</Trans>
        </PageLink>
      </p>
    </div>
  )
}

function Again({ typed, action }: { typed: string; action: string }) {
  const { href } = useLanguage()
  return (
    <form method="post" action={href(action)} className="mt-6">
      <input type="hidden" name="amount" value={typed} />
      <button type="submit" className="button button-ink">
        <Trans>Try again</Trans>
      </button>
    </form>
  )
}

function Why({ why }: { why: Exclude<ClosedFor, 'unknown'> }) {
  if (why === 'none')
    return (
      <Trans>
        We don't know this goal. Please don't send anything: any address you get elsewhere isn't from us.
      </Trans>
    )
  if (why === 'frozen')
    return (
      <Trans>
        Operators froze this goal, so it takes no gifts now. Please don't send anything to its wallet.
      </Trans>
    )
  if (why === 'token')
    return <Trans>No token is accepted for goals yet. Please don't send anything to its wallet.</Trans>
  return <Trans>This goal takes no gifts any more. Please don't send anything to its wallet.</Trans>
}
