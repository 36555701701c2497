import type { Source } from '~/ledger/listening.server'
import { plural } from '~/plural'
import { formatClock } from '~/time'

/** To whom the system listens, and since when it could not. */
export function Listening({ sources, now }: { sources: Source[] | null; now: number }) {
  return (
    <div id="listening" data-live="calls" className="column mt-6">
      {sources ? <SourceLines sources={sources} now={now} /> : <p>We can't say now when we last listened.</p>}
    </div>
  )
}

function SourceLines({ sources, now }: { sources: Source[]; now: number }) {
  const checks = sources.flatMap(({ wellAt, faultSince }) => (wellAt && !faultSince ? [wellAt] : []))
  const oldest = checks.length > 0 && new Date(Math.min(...checks.map((at) => at.getTime())))
  const unreachable = sources.filter(({ faultSince }) => faultSince !== null)
  return (
    <>
      <p>
        <strong>Listening to {plural(sources.length, { one: '# source', other: '# sources' })}.</strong>{' '}
        {oldest && (
          <>
            Last checked <Clock at={oldest} now={now} />.
          </>
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
          We cannot reach {host} since {faultSince && <Clock at={faultSince} now={now} />}.
        </p>
      ))}
    </>
  )
}

function Clock({ at, now }: { at: Date; now: number }) {
  return <time dateTime={at.toISOString()}>{formatClock(at, now)}</time>
}
