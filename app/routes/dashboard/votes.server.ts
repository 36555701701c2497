import type { AppLoadContext } from '@remix-run/cloudflare'
import { readGoalTitles } from '~/fundme/public-goals.server'
import { choiceWords } from '~/votes/vote-words'
import { listBallotsOf } from '~/votes/votes.server'

/** The votes of the member's proven wallets; undefined without one, while voting is closed, or if they cannot be read. */
export async function listMyVotes({ config, publicData, language }: AppLoadContext, wallets: string[]) {
  if (!config.VOTING_OPEN || wallets.length === 0) return undefined
  const data = publicData()
  const ballots = await listBallotsOf(data.optional(), wallets)
  if (!ballots || ballots.length === 0) return undefined
  const titles = await readGoalTitles(data, [...new Set(ballots.map(({ goal }) => goal))])
  return ballots.map(({ goal, wallet, choice, recordedAt }) => ({
    goal,
    title: titles[goal] ?? goal,
    words: [
      language.i18n._(choiceWords[choice]),
      `${wallet.slice(0, 8)}…${wallet.slice(-6)}`,
      language.formats.day(recordedAt),
    ].join(' · '),
  }))
}
