import { msg } from '@lingui/core/macro'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listFollows } from '~/follow/follows.server'
import { mailSettings } from '~/follow/mail/settings'
import { topicName } from '~/follow/topics'
import { goalOfProof } from '~/goals/after-proof.server'
import { listPools, parsePage } from '~/goals/pools.server'
import { listGiftsFrom } from '~/ledger/transactions.server'
import { listWallets } from '~/ledger/wallets'
import { listProvenWallets } from '~/members/auth/proven-wallets.server'
import { requireViewerWith } from '~/members/auth/viewer.server'
import { readDraft } from '~/members/profile/draft.server'
import { readProfile } from '~/members/profile/profile.server'
import type { I18n } from '~/platform/locales/i18n'
import { proveByHandPath } from '~/platform/server/redirect'
import { listMyVotes } from '../../../votes/my-votes.server'
import { listGoalCards } from './goal-cards.server'
import { listNews } from './news.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const page = parsePage(searchParams.get('page'))
  const { viewer, value: rows } = await requireViewerWith(context, `/dashboard${search}`, (memberId) =>
    readMember(context, memberId, page),
  )
  const editing = searchParams.get('edit') === 'profile'
  // The form of this goal links here to prove a wallet.
  const goal = goalOfProof(context, searchParams.get('goal'))
  return {
    member: { id: viewer.id, email: viewer.email },
    // The loader makes the links, so that the script of this page stays small.
    links: [
      { to: '/dashboard/account', children: context.language.i18n._(msg`Account`) },
      ...(rows.profile?.isOperator
        ? [{ to: '/operator', children: context.language.i18n._(msg`Operator`), reloadDocument: true }]
        : []),
    ],
    forGoal: goal ? wayBack(goal, context.language.i18n) : null,
    byHand: {
      href: goal ? `${proveByHandPath}?goal=${goal}` : proveByHandPath,
      children: context.language.i18n._(msg`Your wallet is on another device? Copy and sign a message.`),
    },
    editing,
    wallets: listWallets(context.config),
    draft: editing ? readDraft(context.cookies, viewer.id) : null,
    ...rows,
  }
}

/** What the backend has about the member. */
async function readMember(context: AppLoadContext, memberId: string, page: number) {
  const data = context.data()
  const isOpen = context.config.FUNDME_OPEN
  const pools = isOpen ? null : listPools(data, memberId, page)
  const goals = isOpen ? listGoalCards(context) : null
  const followsOf = describeFollows(context)
  const [profile, provenWallets] = await Promise.all([
    readProfile(data, memberId),
    listProvenWallets({ site: context.config, data, memberId }),
  ])
  const proven = (provenWallets ?? []).map(({ address }) => address)
  const owned = [...proven, profile?.provenWallet ?? []].flat()
  const publicData = context.publicData()
  const [donations, votes] = await Promise.all([
    owned.length ? listGiftsFrom(publicData, owned) : [],
    listMyVotes(context, proven),
  ])
  return {
    profile,
    provenWallets: provenWallets?.map(({ address, provenAt }) => ({ address, provenAt })) ?? null,
    donations,
    news: await listNews(publicData, donations ?? []),
    follows: await followsOf,
    // For a document, the server must render the pools: without JavaScript a page can't insert them later.
    pools: context.isDocument ? await pools : pools,
    ...(goals && { goals: await goals }),
    ...(votes && { votes }),
  }
}

/** What the member follows by email, in words. Null if the site sends no emails. */
async function describeFollows({ config, data, language: { i18n } }: AppLoadContext) {
  if (!mailSettings(config)) return null
  const follows = await listFollows(data().optional())
  const topics = follows?.map(({ topic }) => topicName(topic, i18n)).join(' · ')
  return {
    title: i18n._(msg`Email updates`),
    topics: topics === '' ? i18n._(msg`You follow nothing yet.`) : topics,
    change: i18n._(msg`Choose what you follow`),
  }
}

/** The sentence and the link for a member who came from a goal's form to prove a wallet. */
function wayBack(goal: string, i18n: I18n) {
  const sentence = msg`Add a new wallet for your goal: one that has never been used. Then you return to your goal.`
  return {
    sentence: i18n._(sentence),
    to: `/dashboard/goals/${goal}#wallet`,
    back: i18n._(msg`Back to your goal`),
  }
}
