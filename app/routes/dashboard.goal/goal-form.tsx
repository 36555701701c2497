import { Trans, useLingui } from '@lingui/react/macro'
import { Control } from '~/forms/control'
import type { DraftField, FieldFault, TypedDraft } from '~/fundme/draft.server'
import { draftFaultWords } from '~/fundme/fault-words'
import type { MyGoal } from '~/fundme/my-goals.server'
import { useLanguage } from '~/locales/react'
import { ScriptSentences } from '~/locales/sentences'
import { When } from '~/ui/when'
import autosaveUrl from './autosave.ts?worker&url'
import { autosaveSentences } from './autosave-sentences'
import { PictureFields } from './picture-fields'
import { WalletField } from './wallet-field'

/** The form of a goal as the page shows it. */
export interface GoalFormState {
  typed: TypedDraft
  /** The version from which the form was filled; null for a goal that is not stored yet. */
  version: number | null
  error: FieldFault | null
}

/** The form of a draft. An incomplete draft can be saved; the check page lists the missing fields. */
export function GoalForm({
  state: { typed, version, error },
  goal,
  id,
  member,
  wallets,
  isProvenNow,
}: {
  state: GoalFormState
  /** The stored goal; null if no goal is stored yet. */
  goal: MyGoal | null
  id: string
  member: string
  /** The member's proven wallets; null if they cannot be read. */
  wallets: string[] | null
  /** Whether the member has just proven the chosen wallet. */
  isProvenNow: boolean
}) {
  const { t } = useLingui()
  const language = useLanguage()
  const messageOf = (field: string) => (error?.field === field ? error.message : undefined)
  // The check page lists the missing fields, so that a new form is not full of warnings.
  const noteOf = (field: string) => {
    const fault = goal?.faults.find((fault) => fault.field === field && fault.why !== 'missing')
    return fault && goal ? draftFaultWords(fault, goal, language) : undefined
  }
  const control = (name: DraftField) => ({ name, error: messageOf(name), note: noteOf(name) })
  const input = (name: DraftField) => ({
    type: 'text',
    className: 'field',
    autoComplete: 'off',
    defaultValue: typed[name],
  })
  const area = (name: DraftField) => ({ className: 'field', defaultValue: typed[name] })
  return (
    <form
      method="post"
      action={`/dashboard/goals/${id}${goal ? '' : '?new'}`}
      encType="multipart/form-data"
      noValidate
      data-autosave=""
      className="mt-6 grid max-w-2xl gap-6"
    >
      <input type="hidden" name="member" value={member} />
      <input type="hidden" name="version" value={version ?? ''} />
      {/* The Enter key in a field presses the first button of the form. */}
      <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
        <Trans>Save</Trans>
      </button>
      <Control {...control('title')} label={t`Title`} hint={t`What you ask for. 3 to 100 characters.`}>
        {(attributes) => <input {...attributes} {...input('title')} dir="auto" />}
      </Control>
      <Control
        {...control('byline')}
        label={t({ message: 'Who asks', comment: 'The label of a field: who asks for money' })}
        hint={t`Your name, or that of the group that you speak for. Everyone can read it.`}
      >
        {(attributes) => <input {...attributes} {...input('byline')} dir="auto" />}
      </Control>
      <Control {...control('category')} label={t`Category`} hint={t`For example: school, health, animals.`}>
        {(attributes) => <input {...attributes} {...input('category')} dir="auto" />}
      </Control>
      <div className="grid gap-6 sm:grid-cols-2">
        <Control {...control('target')} label={t`Target in US dollars`} hint={t`From $50 to $25,000.`}>
          {(attributes) => <input {...attributes} {...input('target')} inputMode="decimal" />}
        </Control>
        <Control {...control('days')} label={t`Days`} hint={t`How long it is open: 7 to 30 days.`}>
          {(attributes) => <input {...attributes} {...input('days')} inputMode="numeric" />}
        </Control>
      </div>
      <Control
        {...control('plan')}
        label={t({ message: 'Plan', comment: 'What the money is for' })}
        hint={t`1 to 12 lines, each an amount and what it is for, such as “400, coats for 20 children”. The amounts must add up to your target.`}
      >
        {(attributes) => <textarea {...attributes} {...area('plan')} rows={5} dir="auto" />}
      </Control>
      <Control
        {...control('story')}
        label={t({ message: 'Story', comment: 'Why someone asks for money' })}
        hint={t`Why you need it, and what changes with it. 40 to 5,000 characters.`}
      >
        {(attributes) => <textarea {...attributes} {...area('story')} rows={10} dir="auto" />}
      </Control>
      <Control
        {...control('links')}
        label={t`Links`}
        hint={t`Up to 5 pages that show more, one on each line. Each starts with https://.`}
        optional
      >
        {(attributes) => <textarea {...attributes} {...area('links')} rows={3} dir="ltr" />}
      </Control>
      <PictureFields
        picture={goal?.picture ?? null}
        text={typed.picture_text}
        messageOf={messageOf}
        noteOf={noteOf}
      />
      <WalletField
        wallets={wallets}
        value={typed.wallet}
        isProvenNow={isProvenNow}
        error={messageOf('wallet')}
        note={noteOf('wallet')}
      />
      <div id="save" className="grid gap-3">
        <div className="flex flex-wrap gap-3">
          <button type="submit" name="next" value="check" className="button button-ink">
            <Trans>Save and check</Trans>
          </button>
          <button type="submit" className="button">
            <Trans>Save</Trans>
          </button>
        </div>
        <p className="text-muted">
          <Trans>
            The check shows the page as everyone will see it, and what is still missing. It submits nothing.
          </Trans>
        </p>
        <p role="status" className="text-muted">
          {goal && !error && (
            <Trans>
              Saved <When date={goal.savedAt} />
            </Trans>
          )}
        </p>
      </div>
      <ScriptSentences of={autosaveSentences} />
      <script type="module" src={autosaveUrl} />
    </form>
  )
}
