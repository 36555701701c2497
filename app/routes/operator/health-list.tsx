import type { ReactNode } from 'react'
import { formatCount } from '~/money'
import type { Health, Mail, RunReport } from '~/operator/overview.server'
import { plural } from '~/plural'
import { Icon } from '~/ui/icon'
import { When } from '~/ui/when'

/** The job runs each minute. After this time without a run, in milliseconds, something is wrong. */
const lateAfter = 5 * 60_000
/** A report of trouble is shown this long, in milliseconds: some faults are reported once. */
const shownFor = 7 * 24 * 60 * 60_000

/** What the variables of the site ask for. */
export interface Configured {
  signs: boolean
  anchors: boolean
  runs: boolean
  /** The name of the log. */
  origin: string
  witnesses: { vkey: string; name: string }[]
}

export interface Line {
  name: string
  isGood: boolean
  text: ReactNode
}

/** The health of the ledger and of its job, in words. */
export function HealthList({
  health,
  mail,
  configured,
  now,
}: {
  health: Health
  /** Null without a mail service. */
  mail: Mail | null
  configured: Configured
  now: number
}) {
  const lines = [
    runLine(health, configured.runs, now),
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
  return <HealthLines lines={lines} />
}

/** What is in order, and what needs attention. */
export function HealthLines({ lines }: { lines: Line[] }) {
  return (
    <ul className="mt-4 max-w-3xl border-t border-hairline">
      {lines.map(({ name, isGood, text }) => (
        <li key={name} className="flex gap-3 border-b border-hairline py-3">
          <span className={`mt-1 shrink-0 ${isGood ? 'text-good' : 'text-bad'}`}>
            <Icon name={isGood ? 'check' : 'silent'} size={18} />
          </span>
          <div className="wrap-anywhere">
            <strong>
              {name}
              <span className="sr-only">{isGood ? ' (in order)' : ' (needs attention)'}</span>:
            </strong>{' '}
            {text}
          </div>
        </li>
      ))}
    </ul>
  )
}

function runLine({ job: { last } }: Health, runs: boolean, now: number): Line {
  const name = 'The job'
  if (!last)
    return { name, isGood: !runs, text: runs ? 'has not run yet.' : 'does not run in the demonstration.' }
  const isLate = now - last.ran_at.getTime() > lateAfter
  const { stopped } = last.report
  return {
    name,
    isGood: !isLate && !stopped,
    text: (
      <>
        last ran <When date={last.ran_at} />.
        {isLate && ' It runs each minute, so it has stopped: no new payment appears.'}
        {stopped && ` It stopped early: ${stopped}.`}
      </>
    ),
  }
}

function scanLine({ status, job: { last } }: Health, runs: boolean, now: number): Line {
  const name = 'The blockchain'
  if (!status?.scanned_at) return { name, isGood: true, text: 'was not read yet.' }
  const behind = last?.report.behind ?? 0
  const isLate = runs && now - status.scanned_at.getTime() > lateAfter
  return {
    name,
    isGood: !isLate && behind === 0,
    text: (
      <>
        was last read <When date={status.scanned_at} />
        {status.block_number !== null && `, up to block ${formatCount(status.block_number)}`}.
        {behind > 0 && ` ${plural(behind, { one: '# block is', other: '# blocks are' })} still to be read.`}
      </>
    ),
  }
}

/** What the last run with trouble said: endpoints, coins and transactions. */
function faultLines({ status, job: { last, trouble } }: Health, now: number): Line[] {
  const lines: Line[] = []
  const add = (name: string, text: ReactNode) => lines.push({ name, isGood: false, text })
  const faults = Object.entries(last?.report.faults ?? {})
  if (faults.length > 0)
    add('Endpoints', faults.map(([endpoint, fault]) => `${endpoint} ${fault}`).join('; '))
  const unread = status?.unread_count ?? 0
  if (unread > 0)
    add('Transactions', `${plural(unread, { one: '# is', other: '# are' })} not read yet, and tried again.`)
  if (trouble && now - trouble.ran_at.getTime() < shownFor) {
    const sentences = sentencesOf(trouble.report)
    if (sentences.length > 0)
      add(
        'The last trouble',
        <>
          <When date={trouble.ran_at} />. {sentences.join(' ')}
        </>,
      )
  }
  return lines
}

function sentencesOf({
  stopped,
  coins = {},
  notCompared = [],
  anchor = {},
  faults = {},
}: RunReport): string[] {
  return [
    stopped && `The run stopped: ${stopped}.`,
    coins.stopped && `The search for coins stopped: ${coins.stopped}.`,
    coins.unread?.length && `Coins not read: ${coins.unread.join('; ')}.`,
    coins.unexplained?.length && `Coins not explained: ${coins.unexplained.join('; ')}.`,
    notCompared.length && `Balances not compared: ${notCompared.join('; ')}.`,
    anchor.fault && `The anchor failed: ${anchor.fault}.`,
    ...Object.entries(faults).map(([endpoint, fault]) => `${endpoint} ${fault}.`),
  ].filter((sentence) => typeof sentence === 'string')
}

function balanceLine({ differing }: Health): Line {
  const link = (
    <a href="/transparency/wallets" className="link">
      Wallets
    </a>
  )
  return differing.length === 0
    ? { name: 'Balances', isGood: true, text: 'agree with the ledger.' }
    : {
        name: 'Balances',
        isGood: false,
        text: (
          <>
            {plural(differing.length, { one: '# differs', other: '# differ' })} from the ledger:{' '}
            {[...new Set(differing.map(({ token_symbol, wallet }) => `${token_symbol} of ${wallet}`))].join(
              '; ',
            )}
            . See {link}.
          </>
        ),
      }
}

function checkLine({ statuses }: Health): Line | null {
  const wrong = (statuses.mismatch ?? 0) + (statuses.reorganised ?? 0)
  if (wrong === 0) return null
  return {
    name: 'Payments',
    isGood: false,
    text: (
      <>
        {plural(wrong, { one: '# does', other: '# do' })} not match the blockchain. See{' '}
        <a href="/transparency?status=mismatch#history" className="link">
          the history
        </a>
        .
      </>
    ),
  }
}

function signedLine({ status }: Health): Line {
  const name = 'Signature'
  if (status?.signed_size == null) return { name, isGood: status?.size === 0, text: 'nothing is signed yet.' }
  const missing = (status.size ?? 0) - status.signed_size
  return {
    name,
    isGood: missing < 100,
    text: `${formatCount(status.signed_size)} of ${formatCount(status.size ?? 0)} entries are signed.`,
  }
}

function anchorLine({ anchor }: Health): Line {
  const name = 'Anchor'
  if (!anchor) return { name, isGood: false, text: 'nothing is anchored yet.' }
  const words: Record<string, string> = {
    anchored: 'final',
    pending: 'mined, not final yet',
    sent: 'sent, not mined yet',
    lost: 'lost: another transaction took its place',
  }
  return {
    name,
    isGood: anchor.status !== 'lost',
    text: (
      <>
        the newest has {formatCount(anchor.size)} entries, from <When date={anchor.recorded_at} />:{' '}
        {words[anchor.status] ?? anchor.status}.
      </>
    ),
  }
}

/** The last answer of a witness, its last alarm, and the greatest checkpoint that it has cosigned. */
function witnessLine(
  { witnesses }: Health,
  origin: string,
  { vkey, name: witnessName }: { vkey: string; name: string },
): Line {
  const name = `Witness ${witnessName}`
  const found = witnesses.find((each) => each.witness === vkey && each.origin === origin)
  if (!found) return { name, isGood: true, text: 'was not asked yet.' }
  const { state, fault, alarm, alarmAt, cosignedSize, cosignedAt } = found
  return {
    name,
    isGood: !fault && !alarm,
    text: (
      <>
        {cosignedSize !== null && cosignedAt ? (
          <>
            last cosigned {formatCount(cosignedSize)} entries, <When date={cosignedAt} />.
          </>
        ) : (
          'has cosigned nothing yet.'
        )}
        {fault && state !== 'alarm' && ` Its last answer: ${fault}.`}
        {alarm && alarmAt && (
          <>
            {' '}
            Alarm, <When date={alarmAt} />: {alarm}.
          </>
        )}
      </>
    ),
  }
}

function rollbackLine({ status }: Health): Line | null {
  if (status?.rolled_back_size == null || !status.rolled_back_at) return null
  return {
    name: 'Rollback',
    isGood: false,
    text: (
      <>
        noticed <When date={status.rolled_back_at} />: the log lost entries of a signed checkpoint of{' '}
        {formatCount(status.rolled_back_size)} entries, so nothing is signed.
      </>
    ),
  }
}

function mailLine({ followers, waiting, sent, failed, stopped, is_late, pause_reason }: Mail): Line {
  const counts = [
    plural(waiting, { one: '# email waits', other: '# emails wait' }),
    plural(sent, { one: '# was sent', other: '# were sent' }),
    `${formatCount(failed)} failed`,
    plural(stopped, { one: '# address gets no more', other: '# addresses get no more' }),
  ]
  return {
    name: plural(followers, { one: '# follower', other: '# followers' }),
    isGood: !pause_reason && !is_late,
    text: (
      <>
        {counts.join(', ')}.
        {pause_reason
          ? ` The email service refuses all emails: ${pause_reason}.`
          : is_late && ' None was sent in the last hour.'}
      </>
    ),
  }
}
