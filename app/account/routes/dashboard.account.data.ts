import { msg } from '@lingui/core/macro'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listContacts } from '~/arrival/answers.server'
import { listFollows } from '~/follow/follows.server'
import { listComplaints } from '~/goals/complaints.server'
import { listMyGoals, type MyGoal } from '~/goals/my-goals.server'
import { listAllPools } from '~/goals/pools.server'
import { listProvenWallets } from '~/members/auth/proven-wallets.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { readProfile } from '~/members/profile/profile.server'
import { staticPage } from '~/platform/edge/error-page.server'
import { outagePage, unlessOutage } from '~/platform/server/outage.server'
import { accountDataPath } from '~/platform/server/redirect'
import { brand, wordOf } from '~/platform/site'
import { listHandedIn } from '~/votes/votes.server'

/**
 * The member's account, profile, proven wallets, followed topics, FundMe pools, goals, complaints, waiting ballots, and the
 * wallets of which operators entered the member as recipient, as a JSON file without secrets (password hash, keys). Returns 503
 * if a part cannot be loaded.
 */
export function loader({ context }: LoaderFunctionArgs) {
  return unlessOutage(
    () => exportData(context),
    () =>
      staticPage(
        context,
        503,
        msg`We can't load your data`,
        msg`We couldn't load all your data, so there is no file. Nothing changed. Please try again in a moment.`,
      ),
  )
}

async function exportData(context: AppLoadContext): Promise<Response> {
  const viewer = await requireViewer(context, accountDataPath)
  const access = context.data()
  const isOpen = context.config.FUNDME_OPEN
  const [{ user }, profile, pools, provenWallets, follows, goals, complaints, ballots, contacts] =
    await Promise.all([
      context.user(viewer.accessToken),
      readProfile(access, viewer.id),
      listAllPools(access, viewer.id),
      listProvenWallets({ site: context.config, data: access, memberId: viewer.id }),
      listFollows(access),
      isOpen ? listMyGoals(access) : [],
      isOpen ? listComplaints(access) : [],
      isOpen ? listHandedIn(access) : [],
      listContacts(access),
    ])
  // A file without one of the parts would look complete.
  if (
    !user ||
    !profile ||
    !pools ||
    !provenWallets ||
    !follows ||
    !goals ||
    !complaints ||
    !ballots ||
    !contacts
  )
    throw outagePage()
  const file = {
    exportedAt: new Date().toISOString(),
    account: {
      id: user.id,
      email: user.email || null,
      createdAt: user.created_at,
      lastSignInAt: user.last_sign_in_at ?? null,
      emailConfirmedAt: user.email_confirmed_at ?? null,
      signUpData: user.user_metadata,
      signInMethods: (user.identities ?? []).map(({ provider, created_at, identity_data }) => ({
        provider,
        createdAt: created_at ?? null,
        data: identity_data ?? null,
      })),
      secondFactors: (user.factors ?? []).map(({ friendly_name, factor_type, status, created_at }) => ({
        name: friendly_name ?? null,
        type: factor_type,
        status,
        createdAt: created_at,
      })),
    },
    profile,
    provenWallets,
    emailsFollowed: follows,
    recipientOf: contacts,
    pools: pools.map(({ currentAmount, goalAmount, ...pool }) => ({
      ...pool,
      currentAmountUsd: currentAmount / 100,
      goalAmountUsd: goalAmount === null ? null : goalAmount / 100,
    })),
    ...(isOpen && { goals: goals.map(exportGoal), complaints, ballots }),
  }
  return Response.json(file, {
    headers: {
      'Content-Disposition': `attachment; filename="${wordOf(brand)}-my-data.json"`,
      'Cache-Control': 'private, no-store',
    },
  })
}

/** A goal with its amounts in dollars, without the fields that only the form needs. */
function exportGoal({ faults: _, pictureName: __, plan, targetUsd, receivedUsd, ...goal }: MyGoal) {
  const inDollars = (cents: number | null) => (cents === null ? null : cents / 100)
  return {
    ...goal,
    plan: plan.map(({ amount, what }) => ({ amountUsd: inDollars(amount), what })),
    targetUsd: inDollars(targetUsd),
    receivedUsd: inDollars(receivedUsd),
  }
}
