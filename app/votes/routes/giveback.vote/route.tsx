import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  data as respond,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { isWithin, percentagesOf } from '~/ledger/split'
import { ListUnavailable } from '~/ledger/unavailable'
import { FormErrorPage } from '~/members/auth/send-again'
import { requireAuthor } from '~/members/auth/send-again.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { requireVoting } from '~/platform/server/fundme-guard.server'
import { clockOf } from '~/platform/server/goal-clock.server'
import { notFound } from '~/platform/server/outage.server'
import { withReturnTo } from '~/platform/server/redirect'
import { When } from '~/platform/ui/when'
import { ballotTime, isChoice, writeBallot } from '~/votes/ballot'
import { announceBallot } from '~/votes/vote-notices.server'
import { limitsOf, readVoteSubject } from '~/votes/vote-subject.server'
import { SubjectTitle } from '~/votes/vote-subject-title'
import { listOwnBallots, type OpenedVote } from '~/votes/votes.server'
import { OpenInWallet, onPhone } from '~/wallet/open-in-wallet'
import { BallotForms } from './ballot-forms'
import { endedRefusal, handIn, readTyped } from './hand-in.server'
import { OwnBallots } from './own-ballots'

export const handle: PageHandle = { fundMe: true }

export const meta = hiddenMeta(msg`Vote to Fund`)

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  requireVoting(context)
  const { campaign: slug = '' } = params
  const { search, searchParams } = new URL(request.url)
  const path = `/giveback/${slug}/vote`
  const [{ subject, vote, isRead }, state] = await Promise.all([readBoth(context, slug), context.viewer()])
  const isVisitor = state.kind === 'visitor'
  const viewer = isVisitor ? null : await requireViewer(context, path + search)
  const typed = {
    choice: choiceIn(searchParams, vote?.names ?? []),
    address: searchParams.get('address')?.trim() ?? null,
  }
  const isOpen = vote !== null && isCasting(context, subject, vote)
  const text = isOpen ? textFor(slug, vote, typed) : null
  const held =
    vote && text && viewer && !(await context.limit('weight', viewer.id))
      ? await readHeld(context, vote, typed.address ?? '')
      : null
  return respond(
    {
      slug,
      subject,
      vote,
      isRead,
      isOpen,
      text,
      held,
      choice: typed.choice,
      address: typed.address,
      limits: vote && limitsOf(vote),
      isWrong: typed.address !== null && isOpen && text === null,
      member: viewer?.id ?? null,
      signIn: withReturnTo('/auth', path),
      isDemo: context.config.DEMO,
      own: viewer && vote ? await listOwnBallots(context.data(), vote.id) : [],
    },
    isRead ? 200 : 503,
  )
}

/** The choice in a form: that of a goal, or the percentages of a split. Null if the form has none. */
function choiceIn(
  form: { get(name: string): unknown; has(name: string): boolean },
  names: readonly string[],
): string | null {
  if (!names.some((name) => form.has(name))) return form.has('choice') ? String(form.get('choice')) : null
  return names.map((name) => String(form.get(name) ?? '').replace(/\s/g, '') || '0').join(' ')
}

/** Throws the 404 response for a subject that is not public. `vote` is null before it opens. */
async function readBoth(context: AppLoadContext, slug: string) {
  const { subject, vote } = await readVoteSubject(context.publicData(), slug)
  if (subject === 'none') throw notFound()
  const isRead = subject !== null && vote !== null
  return { subject, vote: isRead && vote !== 'none' && vote.id !== null ? vote : null, isRead }
}

/** Loads the code that calls the blockchain only for a page that shows a weight. */
async function readHeld({ config }: AppLoadContext, vote: OpenedVote, address: string) {
  const { readWalletWeight } = await import('~/votes/wallet-weight.server')
  return readWalletWeight(config, vote, address)
}

function isCasting(
  { config }: AppLoadContext,
  subject: { isAnnulled: boolean } | null,
  { won, closesAt }: OpenedVote,
): boolean {
  const now = clockOf({ endsAt: closesAt }, config)
  return won === null && closesAt.getTime() > now && !subject?.isAnnulled
}

/** The text to sign for a choice and an address; null if one of them is invalid. */
function textFor(
  goal: string,
  vote: OpenedVote,
  { choice, address }: { choice: string | null; address: string | null },
): string | null {
  if (choice === null || !isAsked(vote, choice) || !/^0x[0-9a-fA-F]{40}$/.test(address ?? '')) return null
  return writeBallot({ goal, choice, wallet: address ?? '', time: ballotTime(new Date()), vote: vote.leaf })
}

/** Whether a vote has this choice. */
function isAsked(vote: OpenedVote, choice: string): boolean {
  const [limits, parts] = [limitsOf(vote), percentagesOf(choice)]
  return limits ? parts !== null && isWithin(parts, limits) : isChoice(choice)
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  requireVoting(context)
  const { campaign: slug = '' } = params
  const path = `/giveback/${slug}/vote`
  const form = await readForm(request)
  const [viewer, { subject, vote, isRead }] = await Promise.all([
    requireAuthor(context, path, form),
    readBoth(context, slug),
  ])
  const { i18n, formats } = context.language
  const of = (name: string) => String(form.get(name) ?? '').trim()
  // Form encoding turns line endings into CRLF; the wallet signed the text with LF.
  const typed = { text: of('text').replaceAll('\r\n', '\n'), signature: of('signature') }
  const fields = { choice: of('choice'), address: of('address') }
  const answer = (message: string, status: number, text = typed.text) =>
    refuse(
      context,
      { payload: text === typed.text ? { signature: typed.signature } : {} },
      { message, status, field: 'signature' },
      { ...fields, text },
    )
  if (isRead && !vote) return answer(i18n._(msg`The vote has not opened yet.`), 400)
  if (!subject || !vote)
    return answer(
      i18n._(
        msg`We can't store this right now. Your signature stays valid: please send it again in a moment.`,
      ),
      503,
    )
  const ended = formats.instant(vote.closesAt)
  if (!isCasting(context, subject, vote)) return answer(i18n._(endedRefusal(ended).sentence), 400)
  const read = await readTyped(vote, slug, typed)
  const limited = 'ballot' in read && (await context.limit('ballot', viewer.id))
  if (limited) return answer(i18n._(tooManyRequests), 429)
  const refusal = 'ballot' in read ? await handIn(context.data(), viewer, vote, read, ended) : read
  if (refusal) {
    const text = refusal.isOther ? textFor(slug, vote, fields) : null
    return answer(i18n._(refusal.sentence), refusal.status, text ?? typed.text)
  }
  if (!('ballot' in read)) return answer(i18n._(endedRefusal(ended).sentence), 400)
  announceBallot(context.cookies, read.ballot.choice === 'support' ? 'ballot-support' : 'ballot-against')
  throw redirect(path, 303)
}

export default function Vote() {
  const { t } = useLingui()
  const loaded = useLoaderData<typeof loader>()
  const { subject, vote, isRead, isOpen, member, signIn, isDemo, own } = loaded
  const refused = useActionData<typeof action>()
  const block = vote?.blockNumber ?? 0
  return (
    <div className="column max-w-[48rem] pt-section">
      <p>
        <PageLink to={subject?.path ?? '/giveback'} className="link inline-block py-1">
          <SubjectTitle subject={subject} />
        </PageLink>
      </p>
      <h1 className="mt-3 text-title">
        {subject?.kind === 'split' ? <Trans>Vote on the split</Trans> : <Trans>Vote to Fund</Trans>}
      </h1>
      {!vote ? (
        isRead ? (
          <p className="mt-5">
            <Trans>The vote has not opened yet.</Trans>
          </p>
        ) : (
          <ListUnavailable what={t`We can't load this vote right now.`} />
        )
      ) : (
        <>
          <p className="mt-5 max-w-[65ch]">
            <Trans>
              Your wallet signs a text: this is free and moves no money. Its weight is what the wallet held at
              block {block}. Wallet, choice and weight become public for ever.
            </Trans>
          </p>
          {isDemo && (
            <p className="notice">
              <Trans>Demonstration: each wallet that signs counts as 1,000 made-up tokens.</Trans>
            </p>
          )}
          {!isOpen && !refused && (
            <p className="notice">
              <Trans>
                Voting ended on <When date={vote.closesAt} />.
              </Trans>
            </p>
          )}
          {(isOpen || refused) &&
            (member ? (
              <BallotForms member={member} vote={vote} loaded={loaded} refused={refused} />
            ) : (
              <>
                <p className="mt-6">
                  <PageLink to={signIn} className="button button-ink">
                    <Trans>Sign in to vote</Trans>
                  </PageLink>
                </p>
                <p className="mt-3 text-sm text-muted">
                  <Trans>You can sign in with your wallet, by one signature.</Trans>
                </p>
              </>
            ))}
          {isOpen && !isDemo && (
            <section className={`mt-6 ${onPhone}`} aria-labelledby="phone-title">
              <h2 id="phone-title" className="text-heading">
                <Trans>With a wallet app on this phone</Trans>
              </h2>
              <p className="mt-2">
                <Trans>
                  The app opens this page in a browser of its own, which doesn't know that you signed in here.
                  Sign in there first.
                </Trans>
              </p>
              <OpenInWallet path={`/giveback/${loaded.slug}/vote`} />
            </section>
          )}
          <OwnBallots ballots={own} vote={vote} />
          <p className="mt-6">
            <PageLink to={`/giveback/${loaded.slug}/votes`} className="link inline-block py-1">
              <Trans>Every ballot</Trans>
            </PageLink>
          </p>
        </>
      )}
    </div>
  )
}

export const ErrorBoundary = FormErrorPage
