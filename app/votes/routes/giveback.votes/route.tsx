import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type LoaderFunctionArgs, type MetaFunction, data as respond } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Hash } from '~/ledger/hash'
import { percentagesOf } from '~/ledger/split'
import { shareName } from '~/ledger/split-words'
import { ListUnavailable } from '~/ledger/unavailable'
import { readAddress } from '~/platform/forms/address'
import { LiveStatus } from '~/platform/live/live-status'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf, pageMeta } from '~/platform/rendering/seo'
import { requireVoting } from '~/platform/server/fundme-guard.server'
import { clockOf } from '~/platform/server/goal-clock.server'
import { notFound } from '~/platform/server/outage.server'
import { CommandLines } from '~/platform/ui/command-lines'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { type Column, Table } from '~/platform/ui/table'
import { When } from '~/platform/ui/when'
import { isChoice } from '~/votes/ballot'
import { limitsOf, readVoteSubject } from '~/votes/vote-subject.server'
import { SubjectTitle } from '~/votes/vote-subject-title'
import { choiceWords, shareOf, useTokens } from '~/votes/vote-words'
import { type CountedBallot, listBallots, type OpenedVote } from '~/votes/votes.server'
import recountUrl from './recount.ts?worker&url'
import recountButtonUrl from './recount-button.ts?worker&url'
import { recountSentences } from './recount-sentences'

export const handle: PageHandle = { cached: ['after', 'wallet'], fundMe: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  if (!args.data?.slug) return []
  const { slug, subject } = args.data
  const { i18n } = languageOf(args.matches)
  const title = i18n._(
    subject?.kind === 'split' ? msg`The split of the fees` : (subject?.title ?? msg`A goal`),
  )
  return pageMeta({
    title: msg`Ballots on ${title}`,
    description: msg`Every ballot that was counted in this vote, and how to count them again.`,
    path: `/giveback/${slug}/votes`,
    noindex: true,
  })(args)
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  requireVoting(context)
  const { campaign: slug = '' } = params
  const { searchParams } = new URL(request.url)
  const [typedAfter, typedWallet] = [searchParams.get('after'), readAddress(searchParams.get('wallet') ?? '')]
  const after = /^[1-9]\d{0,14}$/.test(typedAfter ?? '') ? Number(typedAfter) : null
  const wallet = /^0x[0-9a-fA-F]{40}$/.test(typedWallet) ? typedWallet.toLowerCase() : null
  const data = context.publicData()
  const { subject, vote } = await readVoteSubject(data, slug)
  if (subject === 'none') throw notFound()
  const opened = vote !== null && vote !== 'none' && vote.id !== null ? vote : null
  const page = {
    slug,
    subject,
    vote: opened,
    limits: opened && limitsOf(opened),
    isRead: vote !== null,
    list: opened && (await listBallots(data, opened.id, { after, wallet })),
    after,
    wallet,
    isWrongWallet: Boolean(typedWallet) && wallet === null,
    isWrongPage: Boolean(typedAfter) && after === null,
    siteUrl: context.config.SITE_URL,
    now: opened ? clockOf({ endsAt: opened.closesAt }, context.config) : 0,
  }
  return respond(page, subject ? 200 : 503)
}

export default function Votes() {
  const { t } = useLingui()
  const { slug, subject, vote, isRead, siteUrl, after, wallet } = useLoaderData<typeof loader>()
  const isPlain = after === null && wallet === null
  const commands = `curl -fO ${siteUrl}/verify-ledger.mjs
node verify-ledger.mjs ${siteUrl} --votes ${slug}
node verify-ledger.mjs ${siteUrl} --votes ${slug} --rpc URL
node verify-ledger.mjs ${siteUrl} --votes ${slug} --ballot FILE`
  return (
    <>
      <div className="column pt-section">
        <p>
          <PageLink to={subject?.path ?? '/giveback'} className="link inline-block py-1">
            <SubjectTitle subject={subject} />
          </PageLink>
        </p>
        <h1 className="mt-3 text-title">
          <Trans>Every ballot</Trans>
        </h1>
        <p className="mt-3 max-w-[65ch] text-muted">
          <Trans>
            A ballot is a text that a wallet signed. Its weight is what the wallet held at one block of the
            past, which no one chose. Of several ballots of a wallet the latest counts.
          </Trans>
        </p>
      </div>
      {vote?.most && <Split vote={vote} />}
      <Section heading="ballots-title" title={t`Ballots`} className="pt-8">
        <div id="ballots" data-live={isPlain ? 'fundme' : undefined}>
          {!isRead ? (
            <ListUnavailable />
          ) : vote ? (
            <Ballots vote={vote} />
          ) : (
            <p className="mt-4 text-muted">
              <Trans>The vote has not opened yet.</Trans>
            </p>
          )}
        </div>
      </Section>
      {vote && (
        <Section heading="facts-title" title={t`What decides`}>
          <Facts vote={vote} />
        </Section>
      )}
      <Section heading="recount-title" title={t`Count again`}>
        {vote && (
          <div data-recount={recountUrl} data-goal={slug} data-entries={vote.ballots + 4}>
            <p className="mt-3 max-w-[65ch]">
              <Trans>
                Counting in this browser needs JavaScript and a secure connection (https). Without it, count
                with the program below.
              </Trans>
            </p>
          </div>
        )}
        <p className="mt-6 max-w-[65ch]">
          <Trans>
            Each ballot is an entry of the signed log. This program needs only Node 18. It checks every
            signature, the sums, the result, that the block follows from the draw, and that each entry is in
            the log. Only with an endpoint of the blockchain that has old state, it checks the blocks and
            every weight too.
          </Trans>
        </p>
        <CommandLines>{commands}</CommandLines>
        <p className="mt-3">
          <a href={`/giveback/${slug}/votes.ndjson`} className="link inline-block py-1" download>
            <Trans>Download the entries of this vote</Trans>
          </a>
        </p>
      </Section>
      <Section heading="limits-title" title={t`What this does not prevent`}>
        <Limits />
      </Section>
      {vote && (
        <>
          <ScriptSentences
            of={{
              ...recountSentences,
              ...Object.fromEntries((vote.names ?? []).map((name) => [name, shareName(name)])),
            }}
          />
          <script type="module" src={recountButtonUrl} />
        </>
      )}
      {isPlain && <LiveStatus />}
    </>
  )
}

function Ballots({ vote }: { vote: OpenedVote }) {
  const { t } = useLingui()
  const { slug, list, after, wallet, isWrongPage, isWrongWallet } = useLoaderData<typeof loader>()
  const path = `/giveback/${slug}/votes`
  const ofWallet = wallet ? `wallet=${wallet}` : ''
  return (
    <>
      {isWrongPage && <NoSuchPage />}
      <form method="get" action={path} className="no-print mt-4 flex max-w-2xl flex-wrap items-end gap-3">
        <p className="grid min-w-0 grow gap-1.5">
          <label htmlFor="wallet" className="font-semibold">
            <Trans>Wallet address</Trans>
          </label>
          <input
            id="wallet"
            name="wallet"
            defaultValue={wallet ?? ''}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            className="field hash"
            aria-describedby={isWrongWallet ? 'wallet-error' : undefined}
          />
        </p>
        <button type="submit" className="button">
          <Trans>Search</Trans>
        </button>
      </form>
      {isWrongWallet && (
        <p id="wallet-error" className="mt-2 font-semibold text-bad">
          <Trans>This is not the address of a wallet.</Trans>
        </p>
      )}
      {!list ? (
        <ListUnavailable />
      ) : list.ballots.length > 0 ? (
        <BallotTable ballots={list.ballots} decimals={vote.decimals} />
      ) : (
        <div className="mt-4">
          {after !== null ? (
            <NothingOlder newest={path} />
          ) : (
            <p>
              {wallet ? <Trans>No ballot of this wallet is counted.</Trans> : <Trans>No ballots yet.</Trans>}
            </p>
          )}
        </div>
      )}
      <Pager
        label={t`Pages of ballots`}
        newer={after !== null || wallet ? path : null}
        older={list?.next ? `${path}?${[`after=${list.next}`, ofWallet].filter(Boolean).join('&')}` : null}
      />
    </>
  )
}

function BallotTable({ ballots, decimals }: { ballots: CountedBallot[]; decimals: number }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const tokens = useTokens(decimals)
  const columns: Column<CountedBallot>[] = [
    {
      name: msg({ message: 'Number', context: 'of a ballot' }),
      className: 'figures',
      cell: ({ number, logIndex }) => (
        <a
          href={`/transparency/entries/${logIndex}/proof`}
          className="link"
          download
          aria-label={t`Ballot ${number}: proof`}
        >
          {formats.count(number)}
        </a>
      ),
    },
    { name: msg`Wallet`, cell: ({ wallet }) => <Hash value={wallet} kind="address" /> },
    {
      name: msg({ message: 'Choice', context: 'of a ballot' }),
      cell: ({ choice, names, counts }) => (
        <>
          {isChoice(choice) ? i18n._(choiceWords[choice]) : <Shares choice={choice} names={names ?? []} />}
          {!counts && (
            <span className="block text-sm text-muted">
              <Trans>replaced by a later ballot</Trans>
            </span>
          )}
        </>
      ),
    },
    {
      name: msg({ message: 'Weight', context: 'of a ballot' }),
      className: 'figures',
      cell: ({ weight }) => tokens(weight),
    },
    {
      name: msg({ message: 'Signed', context: 'the time of a ballot' }),
      cell: ({ signedAt }) => <When date={signedAt} />,
    },
  ]
  return (
    <Table
      caption={t`Newest first`}
      columns={columns}
      rows={ballots}
      keyOf={({ number }) => number}
      live
      className="ballots mt-4"
    />
  )
}

/** The shares of a ballot that are not zero. */
function Shares({ choice, names }: { choice: string; names: readonly string[] }) {
  const { i18n, formats } = useLanguage()
  const parts = percentagesOf(choice) ?? []
  return (
    <ul className="shares">
      {names.map(
        (name, at) =>
          parts[at] !== 0 && (
            <li key={name}>
              <bdi>{i18n._(shareName(name))}</bdi> <strong>{formats.percent(parts[at] ?? 0)}</strong>
            </li>
          ),
      )}
    </ul>
  )
}

/** The mean of the ballots on the split so far, or the result. */
function Split({ vote }: { vote: OpenedVote }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { slug, limits, now } = useLoaderData<typeof loader>()
  const tokens = useTokens(vote.decimals)
  const [weight, quorum] = [vote.support, vote.quorum].map(tokens)
  const done = formats.percent(Math.floor(shareOf(vote.support, vote.quorum)))
  const isOpen = vote.won === null && vote.closesAt.getTime() > now
  const rows = (limits?.names ?? []).map((name, at) => ({
    name,
    share: vote.shares ? formats.percent((vote.shares[at] ?? 0) / 10) : '–',
    limits: `${formats.percent(limits?.least[at] ?? 0)} – ${formats.percent(limits?.most[at] ?? 100)}`,
  }))
  return (
    <Section heading="split-title" title={t`The split`} className="pt-8" live="fundme">
      <p className="mt-3 max-w-[65ch] text-lg font-semibold">
        {vote.won ? (
          <Trans>Token holders decided. Monthly allocations use this split from the next month on.</Trans>
        ) : vote.won === false ? (
          <Trans>Not valid: the ballots did not reach the quorum, so nothing changes.</Trans>
        ) : isOpen ? (
          <Trans>
            Token holders vote until <When date={vote.closesAt} />.
          </Trans>
        ) : (
          <Trans>
            Voting ended on <When date={vote.closesAt} />. The last ballots are being counted.
          </Trans>
        )}
      </p>
      <table className="flow-table mt-4">
        <caption>
          <Trans>The mean of the ballots, by weight, in tenths of a percent that add up to 100%</Trans>
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Share</Trans>
            </th>
            <th scope="col">
              <Trans>Mean</Trans>
            </th>
            <th scope="col">
              <Trans>Limits</Trans>
            </th>
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map(({ name, share, limits }) => (
            <tr key={name}>
              <th scope="row" className="font-normal">
                {i18n._(shareName(name))}
              </th>
              <td>{share}</td>
              <td>{limits}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="figures mt-4">
        <Trans>
          {weight} of <Plural value={vote.supportWallets} one="# wallet" other="# wallets" /> voted: {done} of
          the quorum of {quorum}.
        </Trans>
      </p>
      {isOpen && (
        <p className="no-print mt-5">
          <PageLink to={`/giveback/${slug}/vote`} className="button button-ink" rel="nofollow">
            <Trans>Vote on the split</Trans>
          </PageLink>
        </p>
      )}
    </Section>
  )
}

function Facts({ vote }: { vote: OpenedVote }) {
  const { formats } = useLanguage()
  const tokens = useTokens(vote.decimals)
  const [eligible, quorum, supply, least] = [vote.eligible, vote.quorum, vote.supply, vote.leastWeight].map(
    tokens,
  )
  const percent = formats.percent(Number(vote.quorumPercent))
  const { blockNumber, leaf } = vote
  return (
    <ul className="mt-3 grid max-w-[65ch] list-disc gap-2 ps-5">
      <li>
        <Trans>
          Balances at block {blockNumber}, with the hash <Hash value={vote.blockHash} />, of the token{' '}
          <Hash value={vote.token} kind="token" />.
        </Trans>
      </li>
      <li>
        <Trans>
          {eligible} may vote: the supply of {supply} without the tokens of some addresses.
        </Trans>
        <details className="text-sm">
          <summary className="link w-fit py-1">
            <Trans>Show the addresses</Trans>
          </summary>
          <ul>
            {vote.excluded.map(({ address, balance }) => (
              <li key={address}>
                <Hash value={address} kind="address" /> <span className="figures">{tokens(balance)}</span>
              </li>
            ))}
          </ul>
        </details>
      </li>
      <li>
        <Trans>
          The quorum is {percent} of them: {quorum}. A ballot needs a weight of {least}.
        </Trans>
      </li>
      <li>
        <Trans>
          The line "Vote" of its ballots: <span className="hash wrap-anywhere">{leaf}</span>
        </Trans>
      </li>
    </ul>
  )
}

/** Each line is what the rules of voting do not prevent. */
function Limits() {
  return (
    <ul className="mt-3 grid max-w-[65ch] list-disc gap-2 ps-5">
      <li>
        <Trans>a large holder decides alone</Trans>
      </li>
      <li>
        <Trans>a holder with many wallets</Trans>
      </li>
      <li>
        <Trans>buying votes (a choice is public, so it can be paid for)</Trans>
      </li>
      <li>
        <Trans>tokens lent or bought for the whole of that week</Trans>
      </li>
      <li>
        <Trans>
          the validator of the seed block, who could throw away a block that draws badly, at the price of its
          reward
        </Trans>
      </li>
      <li>
        <Trans>exchanges voting with customers' tokens</Trans>
      </li>
      <li>
        <Trans>
          a ballot refused at the door (another member can carry it, but no receipt proves the refusal)
        </Trans>
      </li>
      <li>
        <Trans>a flip in the last minute</Trans>
      </li>
      <li>
        <Trans>
          a wallet above the least weight that fills the log with ballots which replace each other: 50 in each
          vote
        </Trans>
      </li>
    </ul>
  )
}
