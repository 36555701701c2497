import { Trans, useLingui } from '@lingui/react/macro'
import { useFollows } from '~/follow/follow'
import { GoalProgress } from '~/fundme/goal-progress'
import { GoalTime } from '~/fundme/goal-time'
import type { PublicGoal } from '~/fundme/public-goals.server'
import { StageBadge } from '~/fundme/stage-badge'
import { WholeHash } from '~/ledger/hash'
import { leftOut } from '~/ledger/provenance'
import { PageLink, useLanguage } from '~/locales/react'
import { Share } from '~/ui/share'
import { checksumAddress } from '~/wallet/address'
import type { GoalPageData } from './goal.server'

/** What a goal received, how long the goal is open, and how to give. */
export function GoalFigures({ page }: { page: GoalPageData & { goal: PublicGoal } }) {
  const { goal, tokens, now } = page
  const { i18n, formats } = useLanguage()
  const { slug, wallet, title, isWatched, pendingCount, unvaluedCount } = goal
  const missing = formats.words(leftOut({ pendingCount, unvaluedCount, disputedCount: 0 }, i18n), 'and')
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <StageBadge {...goal} />
        <span className="text-sm text-muted">
          <GoalTime goal={goal} now={now} />
        </span>
      </p>
      <GoalProgress goal={goal} />
      {missing && (
        <p className="mt-1 text-sm text-muted">
          <Trans>left out: {missing}</Trans>
        </p>
      )}
      <p className="mt-2 text-sm text-muted">
        <Trans>
          This is what arrived. We don't follow what leaves the wallet, so the same money can arrive twice.
        </Trans>
      </p>
      {!isWatched && (
        <p className="mt-2 font-semibold">
          <Trans>Gifts are no longer counted.</Trans>
        </p>
      )}
      <Ways slug={slug} shared={title ?? slug} open={wallet !== null} />
      {wallet && <GoalWallet wallet={wallet} tokens={tokens} />}
      <p className="mt-4 text-sm text-muted">
        <Trans>Voting opens when the token is live.</Trans>
      </p>
    </>
  )
}

function Ways({ slug, shared, open }: { slug: string; shared: string; open: boolean }) {
  const follows = useFollows()
  return (
    <div className="pool-ways no-print">
      {open && (
        <PageLink to={`/donate?to=${slug}`} className="button button-gold">
          <Trans comment="A button: give money to this goal">Give</Trans>
        </PageLink>
      )}
      {follows && (
        <p>
          <a href="#follow" className="button">
            <Trans>Follow</Trans>
          </a>
        </p>
      )}
      <Share title={shared} url={`/giveback/${slug}`} className="m-0" />
    </div>
  )
}

/** The wallet of an open goal, our checks of the wallet, and the payments that count. */
function GoalWallet({ wallet, tokens }: { wallet: string; tokens: string[] }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const counted = formats.words(tokens, 'and')
  return (
    <div className="mt-5 border-t border-hairline pt-4 text-sm">
      <p className="font-semibold">
        <Trans>Its wallet</Trans>
      </p>
      <WholeHash value={checksumAddress(wallet)} kind="address" what={t`the address of this goal`} />
      <p className="mt-2">
        <Trans>
          The community wrote this. We checked that the wallet is theirs, not that the story is true.
        </Trans>
      </p>
      {counted && (
        <p className="mt-2 text-muted">
          <Trans>We count {counted}. BNB and other tokens are not counted.</Trans>
        </p>
      )}
    </div>
  )
}
