import { Trans, useLingui } from '@lingui/react/macro'
import { ActText } from '~/acts/act-facts'
import type { Subject } from '~/acts/forms/subject'
import type { ActKind } from '~/console/act-kinds'
import { firstCharacters } from '~/platform/first-characters'
import { EnglishWords } from '~/platform/ui/words'

/** A search for the subject of an act, and its results, newest first. */
export function SubjectList({
  kind,
  me,
  label,
  words,
  found,
}: {
  kind: ActKind
  /** The handle of the operator who reads the list. */
  me: string
  label: string
  words: string
  found: Subject[]
}) {
  const { t } = useLingui()
  return (
    <>
      <form method="get" className="mt-4 flex max-w-2xl flex-wrap items-end gap-3">
        <div className="grid min-w-0 flex-1 basis-60 gap-1.5">
          <label htmlFor="q" className="font-semibold">
            {label}
          </label>
          <input type="search" id="q" name="q" dir="auto" defaultValue={words} className="field" />
        </div>
        <button type="submit" className="button">
          <Trans>Search</Trans>
        </button>
      </form>
      {found.length === 0 ? (
        <p className="mt-4 text-muted">{words ? t`Nothing found.` : t`Nothing is published yet.`}</p>
      ) : (
        <ul className="mt-4 max-w-3xl border-t border-hairline">
          {found.map(({ subject, title, facts }) => (
            <li key={subject} className="border-b border-hairline py-3">
              <a
                href={`/operator/new/${kind}?${new URLSearchParams({ subject })}`}
                className="link wrap-anywhere"
              >
                {kind === 'name' ? <EnglishWords>{title}</EnglishWords> : title}
              </a>{' '}
              {kind === 'operator-end' && subject === me && (
                <span className="badge ms-2 bg-plain-wash text-muted">
                  <Trans comment="A badge beside the reader's own name in a list">You</Trans>
                </span>
              )}
              {facts[0] && (
                <p className="mt-1 text-muted wrap-anywhere">
                  {facts[0][1] !== null ? <ActText text={firstWords(facts[0][1])} /> : t`Withdrawn`}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The first 140 characters of a text, cut at a space. */
function firstWords(text: string): string {
  const cut = firstCharacters(text, 140)
  return cut.length < text.length ? `${cut.replace(/\s\S*$/, '')} …` : text
}
