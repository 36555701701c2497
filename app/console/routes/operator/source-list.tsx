import { Trans } from '@lingui/react/macro'
import { Gap, useLanguage } from '~/platform/locales/react'
import { BreakableUrl } from '~/platform/ui/breakable-url'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import type { Listening } from '~/statements/operator-queue.server'
import { type Line, line, Subject } from './health-list'

type Source = Listening['sources'][number]

/** Each source of statements with its last success and its fault. */
export function sourceLines(sources: Source[]): Line[] {
  return sources.map((source) => line(source.source, source.fault === null, <SourceText source={source} />))
}

function SourceName({ source: { source, name } }: { source: Pick<Source, 'source' | 'name'> }) {
  if (source === 'x:posts') return <Trans>The check of posts of X</Trans>
  return name ?? <BreakableUrl url={source} />
}

function SourceText({
  source: { source, name: nameOfFeed, fault, fault_since, well_at, seen_count, found_count },
}: {
  source: Source
}) {
  const { formats } = useLanguage()
  const [found, seen] = [formats.count(found_count), formats.count(seen_count)]
  const words = <EnglishWords>{fault}</EnglishWords>
  const name = (
    <bdi>
      <SourceName source={{ source, name: nameOfFeed }} />
    </bdi>
  )
  return (
    <>
      {well_at ? (
        <Trans comment="A source of posts">
          <Subject>{name}:</Subject> last read <When date={well_at} />.
        </Trans>
      ) : (
        <Trans comment="A source of posts">
          <Subject>{name}:</Subject> not read yet.
        </Trans>
      )}
      {fault && fault_since && (
        <>
          <Gap />
          <Trans comment="The time since which a source cannot be read, and what is wrong">
            Since <When date={fault_since} />: {words}.
          </Trans>
        </>
      )}
      {source !== 'x:posts' && (
        <>
          <Gap />
          <Trans>
            {found} of {seen} posts are about charity.
          </Trans>
        </>
      )}
      {nameOfFeed && (
        <span className="block text-sm text-muted">
          <BreakableUrl url={source} />
        </span>
      )}
    </>
  )
}
