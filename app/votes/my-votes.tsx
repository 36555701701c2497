import { Trans, useLingui } from '@lingui/react/macro'
import { PageLink } from '~/platform/locales/react'
import { Sheet } from '~/platform/ui/section'

interface MyVote {
  /** Where its vote is shown. */
  to: string
  /** The title of the goal, or its name if it has none. */
  title: string
  /** The choice and the wallet, in words. */
  words: string
}

/** The ballots of the member's proven wallets that count. */
export default function MyVotes({ votes }: { votes: MyVote[] }) {
  const { t } = useLingui()
  return (
    <Sheet heading="votes-title" title={t`My votes`}>
      <ul className="mt-2">
        {votes.map(({ to, title, words }) => (
          <li key={to + words} className="border-b border-hairline py-3">
            <PageLink to={to} className="link inline-block py-1 wrap-anywhere">
              <bdi lang="">{title}</bdi>
            </PageLink>
            <span className="block text-sm text-muted wrap-anywhere">{words}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">
        <Trans>The newest 20 ballots of your proven wallets that count.</Trans>
      </p>
    </Sheet>
  )
}
