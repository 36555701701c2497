import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { createContext, Fragment, type ReactNode, useContext } from 'react'
import type { Health, Mail, RunReport } from '~/console/overview.server'
import { Gap, PageLink, Sentence, useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

/** The job runs every minute. After this many milliseconds without a run, the page reports a fault. */
const lateAfter = 5 * 60_000
/** How long a reported fault is shown, in milliseconds: the job reports some faults only once. */
const shownFor = 7 * 24 * 60 * 60_000

/** What the site's variables configure. */
export interface Configured {
  signs: boolean
  anchors: boolean
  runs: boolean
  /** The name of the log. */
  origin: string
  witnesses: { vkey: string; name: string }[]
}

export interface Line {
  key: string
  /** Null for something that does not happen in the demonstration. */
  isGood: boolean | null
  /** A `Subject`, followed by a sentence about it. */
  text: ReactNode
}

export const line = (key: string, isGood: Line['isGood'], text: ReactNode): Line => ({ key, isGood, text })

/** The state of the line around a `Subject`. */
const State = createContext<Line['isGood']>(null)

/**
 * The health of the ledger and of its job, in words. `mail`: the counts of emails; null if no mail service is
 * configured.
 */
export function healthLines(health: Health, mail: Mail | null, configured: Configured, now: number): Line[] {
  return [
    runLine(health, configured.runs, now),
    scheduleLine(health, now),
    scanLine(health, configured.runs, now),
    ...faultLines(health, now),
    balanceLine(health),
    checkLine(health),
    configured.signs ? signedLine(health) : null,
    configured.anchors ? anchorLine(health) : null,
    ...configured.witnesses.map((witness) => witnessLine(health, configured.origin, witness)),
    rollbackLine(health),
    mail && mailLine(mail),
  ].filter((line) => line !== null)
}

const tones = { true: 'text-good', false: 'text-bad', null: 'text-muted' }

/** Lines about what is in order and what needs attention. */
export function HealthLines({ lines }: { lines: Line[] }) {
  return (
    <ul className="mt-4 max-w-3xl border-t border-hairline">
      {lines.map(({ key, isGood, text }) => (
        <li key={key} className="flex gap-3 border-b border-hairline py-3">
          <span className={`mt-1 shrink-0 ${tones[`${isGood}`]}`}>
            <Icon name={isGood === null ? 'waiting' : isGood ? 'check' : 'silent'} size={18} />
          </span>
          <div className="wrap-anywhere [&_time]:whitespace-nowrap">
            <State.Provider value={isGood}>{text}</State.Provider>
          </div>
        </li>
      ))}
    </ul>
  )
}

/**
 * The subject of a line, with its state for screen readers. It is part of the sentence, so that translations
 * can move it.
 */
export function Subject({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const isGood = useContext(State)
  return (
    <strong>
      {children}
      {isGood !== null && (
        <span className="sr-only">
          <Gap />
          {isGood ? t`(in order)` : t`(needs attention)`}
        </span>
      )}
    </strong>
  )
}

/** A number in the format of the page's language. */
function Count({ of: count }: { of: number }) {
  return useLanguage().formats.count(count)
}

function runLine({ job: { last } }: Health, runs: boolean, now: number): Line {
  if (!runs)
    return line(
      'job',
      null,
      <Trans comment="The scheduled job">
        <Subject>The job:</Subject> does not run in the demonstration.
      </Trans>,
    )
  if (!last)
    return line(
      'job',
      false,
      <Trans comment="The scheduled job">
        <Subject>The job:</Subject> has not run yet.
      </Trans>,
    )
  const isLate = now - last.ran_at.getTime() > lateAfter
  const { stopped } = last.report
  const isGood = !isLate && !stopped
  return line(
    'job',
    isGood,
    <>
      <Trans comment="The scheduled job">
        <Subject>The job:</Subject> last ran <When date={last.ran_at} />.
      </Trans>
      {isLate && (
        <>
          <Gap />
          <Trans>It runs each minute, so it has stopped: no new payment appears.</Trans>
        </>
      )}
      {stopped && (
        <>
          <Gap />
          <Reason name="early">{stopped}</Reason>
        </>
      )}
    </>,
  )
}

const reasons = {
  early: (words: ReactNode) => <Trans>It stopped early: {words}.</Trans>,
  run: (words: ReactNode) => <Trans>The run stopped: {words}.</Trans>,
  coins: (words: ReactNode) => <Trans>The search for coins stopped: {words}.</Trans>,
  unread: (words: ReactNode) => <Trans>Coins not read: {words}.</Trans>,
  unexplained: (words: ReactNode) => <Trans>Coins not explained: {words}.</Trans>,
  tokens: (words: ReactNode) => <Trans>Tokens that differ from CHAIN_TOKENS: {words}.</Trans>,
  pools: (words: ReactNode) => <Trans>Pools that are not closed yet: {words}.</Trans>,
  outsized: (words: ReactNode) => (
    <Trans>Payments without a value until two operators state one: {words}.</Trans>
  ),
  balances: (words: ReactNode) => <Trans>Balances not compared: {words}.</Trans>,
  anchor: (words: ReactNode) => <Trans>The anchor failed: {words}.</Trans>,
  payer: (words: ReactNode) => <Trans>No payment is sent: {words}.</Trans>,
  payments: (words: ReactNode) => <Trans>Payments that wait: {words}.</Trans>,
  answer: (words: ReactNode) => <Trans>Its last answer: {words}.</Trans>,
  mails: (words: ReactNode) => <Trans>The email service refuses all emails: {words}.</Trans>,
}

/** The cause of a fault, which the job reports in English, inside a sentence of the page. */
function Reason({ name, children }: { name: keyof typeof reasons; children: string }) {
  return reasons[name](<EnglishWords>{children}</EnglishWords>)
}

const refusals: Record<string, string> = {
  older: 'its release is older than the migrations of the database',
  newer: 'the database lacks the migrations of its release',
  site: 'the job is of another address, and two operators can move it',
  holder: 'another program runs it',
}

/** Whose turn it is to run the schedule, and who was refused. */
function scheduleLine({ schedule }: Health, now: number): Line | null {
  if (!schedule) return null
  const { site, holder, refused } = schedule
  const isGood = !refused || now - refused.at.getTime() > shownFor
  const who = `${site} (${holder})`
  const words = refused && (
    <EnglishWords>{`${refused.site} (${refused.holder}): ${refusals[refused.why]}`}</EnglishWords>
  )
  return line(
    'schedule',
    isGood,
    <>
      <Trans comment="Who reads the blockchain, signs and pays each minute">
        <Subject>Turn:</Subject> {who} runs the job.
      </Trans>
      {!isGood && refused && (
        <>
          <Gap />
          <Trans>
            Refused, <When date={refused.at} />: {words}.
          </Trans>
        </>
      )}
    </>,
  )
}

function scanLine({ status, job: { last } }: Health, runs: boolean, now: number): Line {
  if (!status?.scanned_at)
    return line(
      'chain',
      true,
      <Trans comment="A colon follows the words in bold">
        <Subject>The blockchain:</Subject> has not been read yet.
      </Trans>,
    )
  const behind = last?.report.behind ?? 0
  const isLate = now - status.scanned_at.getTime() > lateAfter
  const block = status.block_number !== null && <Count of={status.block_number} />
  const isGood = runs ? !isLate && behind === 0 : null
  return line(
    'chain',
    isGood,
    <>
      {block ? (
        <Trans comment="A colon follows the words in bold">
          <Subject>The blockchain:</Subject> was last read <When date={status.scanned_at} />, up to block{' '}
          {block}.
        </Trans>
      ) : (
        <Trans comment="A colon follows the words in bold">
          <Subject>The blockchain:</Subject> was last read <When date={status.scanned_at} />.
        </Trans>
      )}
      {behind > 0 && (
        <>
          <Gap />
          <Trans>
            <Plural value={behind} one="# block is" other="# blocks are" /> still to be read.
          </Trans>
        </>
      )}
    </>,
  )
}

/** The faults of the last run (endpoints, unread transactions) and the last report of trouble. */
function faultLines({ status, job: { last, trouble } }: Health, now: number): Line[] {
  const lines: Line[] = []
  const faults = Object.entries(last?.report.faults ?? {})
  const isGood = faults.length === 0
  // The capabilities are what an operator needs to know before an endpoint lacks one of them.
  const found = isGood ? Object.entries(last?.report.endpoints ?? {}) : faults
  const stated = <EnglishWords>{found.map((entry) => entry.join(' ')).join('; ')}</EnglishWords>
  if (found.length > 0)
    lines.push(
      line(
        'endpoints',
        isGood,
        <Trans comment="Servers that answer questions about the blockchain">
          <Subject>Endpoints:</Subject> {stated}
        </Trans>,
      ),
    )
  const unread = status?.unread_count ?? 0
  if (unread > 0)
    lines.push(
      line(
        'transactions',
        false,
        <Trans comment="A colon follows the words in bold">
          <Subject>Transactions:</Subject> <Plural value={unread} one="# is" other="# are" /> not read yet,
          and will be tried again.
        </Trans>,
      ),
    )
  if (trouble && now - trouble.ran_at.getTime() < shownFor) {
    const sentences = sentencesOf(trouble.report)
    if (sentences.length > 0)
      lines.push(
        line(
          'trouble',
          false,
          <>
            <Trans comment="A colon follows the words in bold">
              <Subject>The last trouble:</Subject> <When date={trouble.ran_at} />.
            </Trans>
            {sentences}
          </>,
        ),
      )
  }
  return lines
}

/** The sentences of a report, each with a gap before it. */
function sentencesOf({
  stopped,
  coins = {},
  notCompared = [],
  tokens = [],
  pools = [],
  outsized = [],
  anchor = {},
  payer = {},
  faults = {},
}: RunReport): ReactNode[] {
  const stated: [name: keyof typeof reasons, words: string | undefined][] = [
    ['run', stopped],
    ['coins', coins.stopped],
    ['unread', coins.unread?.join('; ')],
    ['unexplained', coins.unexplained?.join('; ')],
    ['tokens', tokens.join('; ')],
    ['pools', pools.join('; ')],
    ['outsized', outsized.join('; ')],
    ['balances', notCompared.join('; ')],
    ['anchor', anchor.fault],
    ['payer', payer.fault],
    [
      'payments',
      Object.entries(payer.waiting ?? {})
        .map(([order, why]) => `order ${order}: ${why}`)
        .join('; '),
    ],
  ]
  const sentences = stated.flatMap(([name, words]) =>
    words
      ? [
          <Fragment key={name}>
            <Gap />
            <Reason name={name}>{words}</Reason>
          </Fragment>,
        ]
      : [],
  )
  // These sentences are in English on every page, so a space separates them. Only the first may follow a
  // sentence in another language.
  const endpoints = Object.entries(faults).map(([endpoint, fault], at) => (
    <Fragment key={endpoint}>
      {at === 0 ? <Gap /> : ' '}
      <EnglishWords>{`${endpoint} ${fault}.`}</EnglishWords>
    </Fragment>
  ))
  return [...sentences, ...endpoints]
}

function balanceLine({ differing }: Health): Line {
  if (differing.length === 0)
    return line(
      'balances',
      true,
      <Trans comment="A colon follows the words in bold">
        <Subject>Balances:</Subject> agree with the ledger.
      </Trans>,
    )
  const wallets = <DifferingWallets differing={differing} />
  const count = differing.length
  return line(
    'balances',
    false,
    <Trans comment="A colon follows the words in bold">
      <Subject>Balances:</Subject> <Plural value={count} one="# differs" other="# differ" /> from the ledger:{' '}
      {wallets}. See{' '}
      <PageLink to="/transparency/wallets" className="link">
        Wallets
      </PageLink>
      .
    </Trans>,
  )
}

function DifferingWallets({ differing }: Pick<Health, 'differing'>) {
  const { t } = useLingui()
  const wallets = [
    ...new Set(
      differing.map(({ token_symbol: symbol, wallet }) =>
        t({ message: `${symbol} of ${wallet}`, comment: 'The balance of a token in a wallet' }),
      ),
    ),
  ]
  return <Sentence>{wallets.join('; ')}</Sentence>
}

function checkLine({ statuses }: Health): Line | null {
  const wrong = (statuses.mismatch ?? 0) + (statuses.reorganised ?? 0)
  if (wrong === 0) return null
  return line(
    'payments',
    false,
    <Trans comment="A colon follows the words in bold">
      <Subject>Payments:</Subject> <Plural value={wrong} one="# does" other="# do" /> not match the
      blockchain. See{' '}
      <PageLink to="/transparency?status=mismatch#history" className="link">
        the history
      </PageLink>
      .
    </Trans>,
  )
}

function signedLine({ status }: Health): Line {
  if (status?.signed_size == null) {
    const isGood = status?.size === 0
    return line(
      'signature',
      isGood,
      <Trans comment="A colon follows the words in bold">
        <Subject>Signature:</Subject> nothing is signed yet.
      </Trans>,
    )
  }
  const size = status.size ?? 0
  const [signed, all] = [<Count key="signed" of={status.signed_size} />, <Count key="all" of={size} />]
  const isGood = size - status.signed_size < 100
  return line(
    'signature',
    isGood,
    <Trans comment="Entries of the public log">
      <Subject>Signature:</Subject> {signed} of {all} entries are signed.
    </Trans>,
  )
}

const anchorStates: Record<string, ReactNode> = {
  anchored: <Trans comment="A transaction that cannot be undone any more">final</Trans>,
  pending: <Trans>mined, not final yet</Trans>,
  sent: <Trans>sent, not mined yet</Trans>,
  lost: <Trans>lost: another transaction took its place</Trans>,
}

function anchorLine({ anchor }: Health): Line {
  if (!anchor)
    return line(
      'anchor',
      false,
      <Trans comment="A transaction that stores the state of the log on the blockchain">
        <Subject>Anchor:</Subject> nothing is anchored yet.
      </Trans>,
    )
  const entries = <Count of={anchor.size} />
  const state = anchorStates[anchor.status] ?? anchor.status
  const isGood = anchor.status !== 'lost'
  return line(
    'anchor',
    isGood,
    <Trans comment='A colon follows "Anchor"; the state is "final" or "sent, not mined yet"'>
      <Subject>Anchor:</Subject> the newest has {entries} entries, from <When date={anchor.recorded_at} />:{' '}
      {state}.
    </Trans>,
  )
}

/**
 * The last response from a witness, its last alarm, and the largest checkpoint that the witness has cosigned.
 */
function witnessLine(
  { witnesses }: Health,
  origin: string,
  { vkey, name: witness }: { vkey: string; name: string },
): Line {
  const key = `witness ${witness}`
  const found = witnesses.find((each) => each.witness === vkey && each.origin === origin)
  if (!found)
    return {
      key,
      isGood: true,
      text: (
        <Trans comment="An independent server that signs the log too, with its name">
          <Subject>Witness {witness}:</Subject> has not been asked yet.
        </Trans>
      ),
    }
  const { state, fault, alarm, alarmAt, cosignedSize, cosignedAt } = found
  const entries = cosignedSize !== null && <Count of={cosignedSize} />
  const words = <EnglishWords>{alarm}</EnglishWords>
  const isGood = !fault && !alarm
  return {
    key,
    isGood,
    text: (
      <>
        {entries && cosignedAt ? (
          <Trans comment="An independent server that signs the log too, with its name">
            <Subject>Witness {witness}:</Subject> last cosigned {entries} entries, <When date={cosignedAt} />.
          </Trans>
        ) : (
          <Trans comment="An independent server that signs the log too, with its name">
            <Subject>Witness {witness}:</Subject> has cosigned nothing yet.
          </Trans>
        )}
        {fault && state !== 'alarm' && (
          <>
            <Gap />
            <Reason name="answer">{fault}</Reason>
          </>
        )}
        {alarm && alarmAt && (
          <>
            <Gap />
            <Trans>
              Alarm, <When date={alarmAt} />: {words}.
            </Trans>
          </>
        )}
      </>
    ),
  }
}

function rollbackLine({ status }: Health): Line | null {
  if (status?.rolled_back_size == null || !status.rolled_back_at) return null
  const entries = <Count of={status.rolled_back_size} />
  return line(
    'rollback',
    false,
    <Trans comment="The log lost entries that it had">
      <Subject>Rollback:</Subject> noticed <When date={status.rolled_back_at} />: the log lost entries of a
      signed checkpoint of {entries} entries, so nothing is signed.
    </Trans>,
  )
}

function mailLine({
  followers,
  waiting,
  sent,
  failed: refused,
  stopped,
  is_late,
  is_flooded,
  pause_reason,
}: Mail): Line {
  const failed = <Count of={refused} />
  const isGood = !pause_reason && !is_late && !is_flooded
  return line(
    'mails',
    isGood,
    <>
      <Trans comment="Counts of emails to followers">
        <Subject>
          <Plural value={followers} one="# follower" other="# followers" />:
        </Subject>{' '}
        <Plural value={waiting} one="# email waits" other="# emails wait" />,{' '}
        <Plural value={sent} one="# was sent" other="# were sent" />, {failed} failed,{' '}
        <Plural value={stopped} one="# address gets no more" other="# addresses get no more" />.
      </Trans>
      {(pause_reason || is_late) && <Gap />}
      {pause_reason ? (
        <Reason name="mails">{pause_reason}</Reason>
      ) : (
        is_late && <Trans>None was sent in the last hour.</Trans>
      )}
      {is_flooded && (
        <>
          <Gap />
          <Trans>
            More than 300 confirmations were asked for in an hour: someone may be sending to strangers.
          </Trans>
        </>
      )}
    </>,
  )
}
