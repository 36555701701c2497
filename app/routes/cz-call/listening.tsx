import { Plural, Trans } from '@lingui/react/macro'
import type { Source } from '~/ledger/listening.server'
import { Gap, useLanguage } from '~/locales/react'
import { formatClock, formatDay } from '~/time'

/** The sources that the system reads, and the time since which a source could not be read. */
export function Listening({ sources, now }: { sources: Source[] | null; now: number }) {
  return (
    <div id="listening" data-live="calls" className="column mt-6">
      {sources ? (
        <SourceLines sources={sources} now={now} />
      ) : (
        <p>
          <Trans>We can't say now when we last listened.</Trans>
        </p>
      )}
    </div>
  )
}

function SourceLines({ sources, now }: { sources: Source[]; now: number }) {
  const checks = sources.flatMap(({ wellAt, faultSince }) => (wellAt && !faultSince ? [wellAt] : []))
  const oldest = checks.length > 0 && new Date(Math.min(...checks.map((at) => at.getTime())))
  const count = sources.length
  const unreachable = sources.filter(({ faultSince }) => faultSince !== null)
  return (
    <>
      <p>
        <strong>
          <Trans>
            Listening to <Plural value={count} one="# source" other="# sources" />.
          </Trans>
        </strong>
        <Gap />
        {oldest && (
          <Trans>
            Last checked <Clock at={oldest} now={now} />.
          </Trans>
        )}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-6 wrap-anywhere">
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
    </>
  )
}

function Clock({ at, now }: { at: Date; now: number }) {
  const { formats } = useLanguage()
  const isToday = formatDay(at) === formatDay(new Date(now))
  return <time dateTime={at.toISOString()}>{isToday ? formatClock(at, now) : formats.instant(at)}</time>
}
