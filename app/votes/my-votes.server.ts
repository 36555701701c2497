import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { readGoalTitles } from '~/ledger/goal-names.server'
import { isSplitSlug } from '~/ledger/split'
import { choiceText } from '~/votes/vote-words'
import { listBallotsOf } from '~/votes/votes.server'

/** The votes of the member's proven wallets; undefined without one, while voting is closed, or if they cannot be read. */
export async function listMyVotes({ config, publicData, language }: AppLoadContext, wallets: string[]) {
  if (!config.VOTING_OPEN || wallets.length === 0) return undefined
  const data = publicData()
  const ballots = await listBallotsOf(data.optional(), wallets)
  if (!ballots || ballots.length === 0) return undefined
  const titles = await readGoalTitles(data, [...new Set(ballots.map(({ goal }) => goal))])
  return ballots.map(({ goal, wallet, choice, names, recordedAt }) => ({
    to: isSplitSlug(goal) ? `/giveback/${goal}/votes` : `/giveback/${goal}#vote`,
    title: isSplitSlug(goal) ? language.i18n._(msg`The split of the fees`) : (titles[goal] ?? goal),
    words: [
      choiceText({ choice, names }, language),
      `${wallet.slice(0, 8)}…${wallet.slice(-6)}`,
      language.formats.day(recordedAt),
    ].join(' · '),
  }))
}
