import type { Listening } from '~/operator/listening.server'
import { When } from '~/ui/when'
import { HealthLines } from './health-list'

type Source = Listening['sources'][number]

/** Each source of statements with its last success and its fault. */
export function SourceList({ sources }: { sources: Source[] }) {
  return (
    <HealthLines
      lines={sources.map((source) => ({
        name: nameOf(source),
        isGood: source.fault === null,
        text: <SourceText source={source} />,
      }))}
    />
  )
}

function nameOf({ source, name }: Source): string {
  if (source === 'x:posts') return 'The check of posts of X'
  return name ? `${name} (${source})` : source
}

function SourceText({
  source: { source, fault, fault_since, well_at, seen_count, found_count },
}: {
  source: Source
}) {
  return (
    <>
      {well_at ? (
        <>
          last read <When date={well_at} />.
        </>
      ) : (
        'not read yet.'
      )}
      {fault && fault_since && (
        <>
          {' '}
          Since <When date={fault_since} />: {fault}.
        </>
      )}
      {source !== 'x:posts' && ` ${found_count} of ${seen_count} posts are about charity.`}
    </>
  )
}
