import { Trans, useLingui } from '@lingui/react/macro'
import { Hash } from '~/ledger/hash'
import { ListUnavailable } from '~/ledger/unavailable'
import { useLanguage } from '~/platform/locales/react'
import { Sheet } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { choiceText } from '~/votes/vote-words'
import type { OpenedVote, OwnBallot } from '~/votes/votes.server'

/** The ballots that the member handed in and that wait, or were refused in the last week. */
export function OwnBallots({ ballots, vote }: { ballots: OwnBallot[] | null; vote: OpenedVote }) {
  const { t } = useLingui()
  const language = useLanguage()
  if (ballots?.length === 0) return null
  return (
    <Sheet heading="own-title" title={t`Ballots that you handed in`} className="mt-6">
      {!ballots && <ListUnavailable />}
      <ul className="mt-2">
        {ballots?.map(({ id, wallet, choice, arrivedAt, reason }) => (
          <li key={id} className="border-b border-hairline py-3">
            <p>
              <strong>{choiceText({ choice, names: vote.names }, language)}</strong>, <Hash value={wallet} />,{' '}
              <When date={arrivedAt} />
            </p>
            <p className={reason ? 'text-bad' : 'text-muted'}>
              <State reason={reason} block={vote.blockNumber} />
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function State({ reason, block }: { reason: OwnBallot['reason']; block: number }) {
  switch (reason) {
    case null:
      return <Trans>It waits to be counted, usually for less than two minutes.</Trans>
    case 'signature':
      return <Trans>Refused: the wallet did not sign it.</Trans>
    case 'nothing':
      return <Trans>This wallet held no tokens at block {block}, so there is nothing to count.</Trans>
    case 'light':
      return <Trans>Refused: the wallet held less than a millionth of the tokens that may vote.</Trans>
    case 'excluded':
      return <Trans>Refused: the tokens of this address do not count in this vote.</Trans>
    case 'closed':
      return <Trans>Refused: the vote closed or was drawn again. Please open this page again.</Trans>
    case 'weight':
      return (
        <Trans>Refused: the weight that we read for this wallet can't be right. Please sign again.</Trans>
      )
    case 'many':
      return <Trans>Refused: 50 ballots of this wallet were counted before.</Trans>
  }
}
