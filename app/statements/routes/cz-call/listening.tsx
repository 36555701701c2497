import { Plural, Trans } from '@lingui/react/macro'
import type { Source } from '~/ledger/listening.server'
import { useLanguage } from '~/platform/locales/react'
import { formatClock, formatDay } from '~/platform/time'

/** Who publishes and confirms statements, and the sources that are read. `sources`: null if unreadable. */
export function Listening({
  sources,
  now,
  answered,
}: {
  sources: Source[] | null
  now: number
  /** Whether a standing order answers statements. */
  answered: boolean
}) {
  return (
    <div id="listening" data-live="calls" className="column mt-6">
      {sources === null ? (
        <p>
          <Trans>We can't say now when we last listened.</Trans>
        </p>
      ) : (
        sources.length > 0 && <SourceLines sources={sources} now={now} />
      )}
      <p className={sources?.length === 0 ? 'font-semibold' : 'mt-1'}>
        {answered ? (
          <Trans>
            A statement that a standing order answers appears at once, as 'Read by the system'. People publish
            and confirm others.
          </Trans>
        ) : (
          <Trans>
            A person publishes each statement, and another one confirms it. Each call shows how long the
            payment took.
          </Trans>
        )}
      </p>
    </div>
  )
}

function SourceLines({ sources, now }: { sources: Source[]; now: number }) {
  const checks = sources.flatMap(({ wellAt, faultSince }) => (wellAt && !faultSince ? [wellAt] : []))
  const oldest = checks.length > 0 && new Date(Math.min(...checks.map((at) => at.getTime())))
  const count = sources.length
  const unreachable = sources.filter(({ faultSince }) => faultSince !== null)
  const lost = unreachable.length
  return (
    <details>
      <summary className="w-fit py-1">
        <strong>
          <Trans>
            Listening to <Plural value={count} one="# source" other="# sources" />
            <Plural value={lost} _0="." other="; # can't be read now." />
          </Trans>
        </strong>
      </summary>
      {oldest && (
        <p>
          <Trans>
            Last checked <Clock at={oldest} now={now} />.
          </Trans>
        </p>
      )}
      <ul className="flex flex-wrap gap-x-6 wrap-anywhere">
        {sources.map(({ name, link }) => (
          <li key={name + link}>
            <a href={link} className="link inline-block py-1" rel="noopener nofollow">
              {name}
            </a>
          </li>
        ))}
      </ul>
      {unreachable.map(({ name, host, faultSince }) => (
        <p key={name} className="mt-1">
          {faultSince && (
            <Trans>
              We haven't been able to read {host} since <Clock at={faultSince} now={now} />.
            </Trans>
          )}
        </p>
      ))}
    </details>
  )
}

function Clock({ at, now }: { at: Date; now: number }) {
  const { formats } = useLanguage()
  const isToday = formatDay(at) === formatDay(new Date(now))
  return <time dateTime={at.toISOString()}>{isToday ? formatClock(at, now) : formats.instant(at)}</time>
}
