import { Trans, useLingui } from '@lingui/react/macro'
import type { DraftField, TypedDraft } from '~/goals/draft.server'
import { useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { draftLabels } from './draft-labels'

/** A refused save: the form was filled from a version older than the stored one. */
export interface Conflict {
  typed: TypedDraft
  stored: TypedDraft
  differing: DraftField[]
  /** The number of the stored version. */
  version: number
  savedAt: Date
  /** Whether the entered values can still be saved: true only if the stored goal is a draft. */
  isDraft: boolean
}

/** Shows the entered values beside the stored ones, and asks which values to keep. */
export function ConflictChoice({
  conflict: { typed, stored, differing, version, savedAt, isDraft },
  id,
  member,
}: {
  conflict: Conflict
  id: string
  member: string
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const address = `/dashboard/goals/${id}`
  return (
    <div className="mt-6 grid gap-6">
      <p role="alert" className="notice mt-0 border-s-4 border-bad bg-bad-wash">
        {isDraft ? (
          <Trans>
            Not saved: this goal was saved elsewhere, <When date={savedAt} />, for example in another tab.
            Which one do you want to keep?
          </Trans>
        ) : (
          <Trans>Not saved: this goal is no longer a draft. Copy what you need from here.</Trans>
        )}
      </p>
      {differing.map((name) => (
        <section key={name} aria-label={i18n._(draftLabels[name])} className="grid gap-3 sm:grid-cols-2">
          <h2 className="text-xl sm:col-span-2">{i18n._(draftLabels[name])}</h2>
          <Version title={t`What you typed`} text={typed[name]} />
          <Version title={t`What is stored`} text={stored[name]} />
        </section>
      ))}
      <div className="flex flex-wrap gap-3">
        {isDraft && (
          <form method="post" action={address}>
            <input type="hidden" name="member" value={member} />
            <input type="hidden" name="version" value={version} />
            {Object.entries(typed).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button type="submit" className="button button-ink">
              <Trans>Keep what I typed</Trans>
            </button>
          </form>
        )}
        <a href={address} className="button">
          <Trans>Keep what is stored</Trans>
        </a>
      </div>
    </div>
  )
}

function Version({ title, text }: { title: string; text: string }) {
  return (
    <div className="rounded-block bg-panel p-4">
      <p className="text-sm text-muted">{title}</p>
      <p className="whitespace-pre-line wrap-anywhere" dir="auto" lang="">
        {text || '–'}
      </p>
    </div>
  )
}
