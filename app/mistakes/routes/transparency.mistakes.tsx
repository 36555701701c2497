import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { amountWords } from '~/ledger/amount'
import { EntryLink } from '~/ledger/entry-link'
import { parsePosition } from '~/ledger/keyset.server'
import { shortHash } from '~/ledger/short-hash'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { Withdrawn } from '~/ledger/withdrawn'
import { isOpen, mistakePage, mistakeTitle, whatWasDone } from '~/mistakes/mistake-words'
import { listMistakes, type Mistake, readLogStart } from '~/mistakes/mistakes.server'
import { mistakesPath } from '~/mistakes/paths'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

export const handle: PageHandle = { cached: ['before', 'after'] }

export const meta = pageMeta({
  title: msg`Our mistakes`,
  description: msg`What went wrong with payments, records and reports, since when, and what was done about it.`,
  path: mistakesPath,
})

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { position, valid } = parsePosition(new URL(request.url).searchParams)
  const data = context.publicData()
  const [mistakes, start] = await Promise.all([
    listMistakes(data, context.config, position),
    position ? null : readLogStart(data),
  ])
  return { mistakes, start, paged: position !== null, unreadable: !valid }
}

export default function Mistakes() {
  const { t } = useLingui()
  const { mistakes, start, paged, unreadable } = useLoaderData<typeof loader>()
  const pageOf = (side: string, cursor: string | null) => cursor && `${mistakesPath}?${side}=${cursor}`
  return (
    <>
      <TransparencyNavigation current="/transparency/mistakes" />
      <PageHeader
        title={t`Our mistakes`}
        tagline={t`What went wrong, since when, and what was done about it.`}
      />
      <Section id="mistakes" heading="mistakes-title" title={t`Mistakes`} className="">
        <p className="mt-3 max-w-[65ch] text-muted">
          <Trans>
            The site makes this list by itself from its records. Operators can add a sentence, and remove
            nothing. What no record shows is not in it.
          </Trans>
        </p>
        {unreadable && <NoSuchPage />}
        <div id="mistake-list" data-live={paged ? undefined : 'ledger acts pools calls fundme'}>
          {!mistakes ? (
            <ListUnavailable />
          ) : mistakes.rows.length > 0 ? (
            <ol className="mt-4 border-t-2 border-ink">
              {mistakes.rows.map((mistake) => (
                <MistakeItem key={mistake.id} mistake={mistake} />
              ))}
            </ol>
          ) : paged ? (
            <div className="mt-4">
              <NothingOlder newest={mistakesPath} />
            </div>
          ) : (
            <NoMistakes start={start} />
          )}
          {mistakes && (
            <Pager
              label={t`Pages of the mistakes`}
              newer={pageOf('after', mistakes.newer)}
              older={pageOf('before', mistakes.older)}
            />
          )}
        </div>
      </Section>
      {!paged && <LiveStatus />}
    </>
  )
}

/** The empty list, with the day since which the log has no mistake. `start`: the time of the first entry; null if it is unknown. */
function NoMistakes({ start }: { start: Date | 'none' | null }) {
  return (
    <p className="mt-4 text-lg font-semibold">
      {start === 'none' ? (
        <Trans>
          Nothing is recorded yet, so this list is empty. That does not prove that nothing went wrong.
        </Trans>
      ) : start ? (
        <Trans>
          The records show no mistake since they began on <When date={start} day />.
        </Trans>
      ) : (
        <Trans>The records show no mistake.</Trans>
      )}
    </p>
  )
}

/** A mistake: what happened, since when and until when, what was done, and what operators said of it. */
function MistakeItem({ mistake }: { mistake: Mistake }) {
  const { i18n } = useLanguage()
  const { subject, since, endedAt, logIndex, kind } = mistake
  return (
    <li
      id={subject.replace('/', '-')}
      data-key={subject}
      className="grid gap-x-8 border-b border-hairline py-2.5 lg:grid-cols-[1fr_auto] lg:items-baseline"
    >
      <p className="wrap-anywhere">
        <PageLink to={mistakePage(mistake)} className="link font-semibold">
          {i18n._(mistakeTitle(mistake))}
        </PageLink>
      </p>
      <p className="figures flex flex-wrap items-baseline gap-x-3 text-sm text-muted lg:justify-end">
        {isOpen(mistake) ? (
          <strong className="text-bad">
            <Trans>
              Since <When date={since} day />, not solved
            </Trans>
          </strong>
        ) : endedAt && kind !== 'withdrawal' ? (
          <span>
            <Trans comment="The first and the last day of a mistake" context="days">
              <When date={since} day /> to <When date={endedAt} day />
            </Trans>
          </span>
        ) : (
          <When date={since} day />
        )}
        {logIndex !== null && <EntryLink logIndex={logIndex} />}
      </p>
      <div className="text-sm text-muted wrap-anywhere">
        <About mistake={mistake} />
        <p>
          {i18n._(whatWasDone(mistake))}
          <Who mistake={mistake} />
        </p>
        <Notes mistake={mistake} />
      </div>
    </li>
  )
}

/** What a mistake is about, in the words of the record. */
function About({ mistake }: { mistake: Mistake }) {
  const { formats } = useLanguage()
  const { kind, words, wordsWithdrawn, tokens, wallet } = mistake
  return (
    <p className="whitespace-pre-line">
      {tokens && (
        <>
          <bdi className="figures font-semibold">{amountWords(mistake, formats, 18)}</bdi>{' '}
        </>
      )}
      {wallet && <span className="hash">{shortHash(wallet)}</span>}
      {words && kind === 'report' ? (
        <bdi lang="">{words}</bdi>
      ) : words ? (
        <EnglishWords>{words}</EnglishWords>
      ) : (
        wordsWithdrawn && kind !== 'report' && <Withdrawn />
      )}
    </p>
  )
}

function Who({ mistake: { kind, by, second } }: { mistake: Mistake }) {
  if (kind !== 'correction' && kind !== 'withdrawal') return null
  return (
    <>
      <Gap />
      {!by ? (
        <Trans>By the holder of the secret key.</Trans>
      ) : second ? (
        <Trans>
          By {by} and {second}.
        </Trans>
      ) : (
        <Trans>By {by}.</Trans>
      )}
    </>
  )
}

/** What operators said of a mistake, the first sentence first. */
function Notes({ mistake: { notes } }: { mistake: Mistake }) {
  return notes.map(({ number, by, text, saidAt, logIndex }) => (
    <p key={number} className="mt-1 border-s-2 border-ink ps-3 text-ink">
      <span className="whitespace-pre-line">
        {text ? <EnglishWords>{text}</EnglishWords> : <Withdrawn />}
      </span>{' '}
      <span className="text-muted">
        {by ?? <Trans>by the holder of the secret key</Trans>}, <When date={saidAt} day />{' '}
        {logIndex !== null && <EntryLink logIndex={logIndex} />}
      </span>
    </p>
  ))
}
