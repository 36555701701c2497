import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ActionFunctionArgs, redirectDocument } from '@remix-run/cloudflare'
import { Await, Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { Suspense } from 'react'
import { generalSentence } from '~/members/auth/messages'
import { requireViewer } from '~/members/auth/viewer.server'
import { dropDraft, keepDraft } from '~/members/profile/draft.server'
import { saveProfile } from '~/members/profile/profile.server'
import { announceSaved } from '~/members/profile/profile-notices.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Toast } from '~/platform/forms/toast'
import { late } from '~/platform/late'
import { PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { toPlainText } from '~/platform/server/plain-text'
import { Sheet } from '~/platform/ui/section'
import { loader } from './loader.server'
import { MemberDonations } from './member-donations'
import { PoolList } from './pool-list'
import { ProfileView } from './profile-card'
import { parseProfileEdit } from './profile-edit.server'
import { ProvenWalletList } from './proven-wallet-list'

// Loaded only when the member edits the profile.
const ProfileForm = late(() => import('./profile-form'))
// Loaded only while FundMe is open.
const GoalSheet = late(() => import('./goal-sheet'))
// Loaded only for a member whose wallets have voted.
const MyVotes = late(() => import('../../../votes/my-votes'))

const editAddress = '/dashboard?edit=profile'

export const handle: PageHandle = { hydrated: { title: msg`Dashboard` } }

export { loader }

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  // Keep the entered values, even if the session or the backend fails.
  keepDraft(context.cookies, form)
  const viewer = await requireViewer(context, editAddress)
  // If another member has signed in since the form was opened, do not save to that member's profile.
  if (form.get('member') !== viewer.id) throw redirectDocument(editAddress, 303)
  const { i18n } = context.language
  const submission = parseProfileEdit(form, i18n)
  if (submission.status !== 'success') return refuse(context, submission)
  const failure = await saveProfile(context.data(), viewer.id, submission.value)
  if (failure) {
    const isRefused = failure.status >= 400 && failure.status < 500
    const stated = isRefused && toPlainText(failure.message)
    const message = stated || i18n._(generalSentence)
    return refuse(context, submission, {
      message,
      lang: stated ? 'en' : undefined,
      status: isRefused ? 400 : 503,
    })
  }
  dropDraft(context.cookies)
  announceSaved(context.cookies)
  throw redirectDocument('/dashboard', 303)
}

export default function Dashboard() {
  const { t } = useLingui()
  const loaded = useLoaderData<typeof loader>()
  const {
    member,
    links,
    forGoal,
    byHand,
    profile,
    editing,
    draft,
    pools,
    goals,
    votes,
    provenWallets,
    donations,
    news,
    follows,
    wallets,
  } = loaded
  const refused = useActionData<typeof action>()
  const { key } = useLocation()
  const values = draft ?? profile
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-title">
          <Trans>Dashboard</Trans>
        </h1>
        <div className="flex flex-wrap gap-3">
          {links.map((link) => (
            <Link key={link.to} className="button" {...link} />
          ))}
          <Form method="post" action="/auth/sign-out" reloadDocument>
            <button type="submit" className="button">
              <Trans>Sign Out</Trans>
            </button>
          </Form>
        </div>
      </div>
      {/* The form is first, so that the member sees it without scrolling. */}
      {editing && values && (
        <Suspense
          fallback={
            <p className="py-8 text-center text-muted">
              <Trans>Loading...</Trans>
            </p>
          }
        >
          <ProfileForm
            key={refused?.id}
            member={member}
            values={values}
            refused={refused}
            avatarUrl={profile?.avatarUrl || null}
          />
        </Suspense>
      )}
      <MemberDonations
        donations={provenWallets && donations}
        news={news}
        hasWallet={provenWallets === null || provenWallets.length > 0 || Boolean(profile?.provenWallet)}
        wallets={wallets}
      >
        <ProvenWalletList
          wallets={provenWallets ?? []}
          signInWallet={profile?.provenWallet ?? null}
          forGoal={forGoal}
          byHand={byHand}
        />
      </MemberDonations>
      {goals !== undefined ? (
        <Suspense>
          <GoalSheet goals={goals} />
        </Suspense>
      ) : (
        <Sheet
          heading="pools-title"
          title={t`My FundMe Pools`}
          action={
            <PageLink to="/giveback" className="button" aria-describedby="creating-closed">
              <Trans>Create Pool</Trans>
            </PageLink>
          }
        >
          <p id="creating-closed" className="mt-3 text-sm text-muted">
            <Trans>Create Pool will work once FundMe opens.</Trans>
          </p>
          {/* Each visit needs a new boundary, or React would show the previous pools while the page loads. */}
          <Suspense
            key={key}
            fallback={
              <p className="py-8 text-center text-muted">
                <Trans>Loading...</Trans>
              </p>
            }
          >
            <Await resolve={pools}>{(list) => list && <PoolList list={list} />}</Await>
          </Suspense>
        </Sheet>
      )}
      {votes && (
        <Suspense>
          <MyVotes votes={votes} />
        </Suspense>
      )}
      {follows && (
        <Sheet
          heading="follows-title"
          title={follows.title}
          action={
            <a href="/dashboard/follows" className="button">
              {follows.change}
            </a>
          }
        >
          {follows.topics && <p className="mt-3 text-muted first-letter:uppercase">{follows.topics}</p>}
        </Sheet>
      )}
      {!(editing && values) && (
        <ProfileView email={member.email} profile={profile} editAddress={editAddress} />
      )}
    </div>
  )
}
