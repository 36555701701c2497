import { Trans, useLingui } from '@lingui/react/macro'
import type { DraftField, TypedDraft } from '~/goals/draft.server'
import { draftFaultWords } from '~/goals/fault-words'
import type { MyGoal } from '~/goals/my-goals.server'
import { PictureFields } from '~/members/pictures/picture-fields'
import { Control } from '~/platform/forms/control'
import { Field } from '~/platform/forms/field'
import { fieldsOf } from '~/platform/forms/refusal'
import { useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import { When } from '~/platform/ui/when'
import autosaveUrl from './autosave.ts?worker&url'
import { autosaveSentences } from './autosave-sentences'
import type { RefusedGoal } from './draft-action.server'
import { draftLabels } from './draft-labels'
import { WalletField } from './wallet-field'

/** The form of a draft. An incomplete draft can be saved; the check page lists the missing fields. */
export function GoalForm({
  typed,
  refused,
  goal,
  id,
  member,
  wallets,
  isProvenNow,
}: {
  /** The values of a form that was not refused. */
  typed: TypedDraft
  refused: RefusedGoal | undefined
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
  const stateOf = fieldsOf(refused)
  const field = (name: string) => {
    const label = Object.hasOwn(draftLabels, name) && draftLabels[name as DraftField]
    // The check page lists the missing fields, so that a new form is not full of warnings.
    const stored = typed[name as DraftField]
    const state = stateOf(name, stored)
    // A fault of the stored value is not one of another value in a refused form.
    const isStored = (state.defaultValue ?? '') === (stored ?? '')
    const fault = goal?.faults.find((fault) => isStored && fault.field === name && fault.why !== 'missing')
    return {
      ...state,
      label: label ? language.i18n._(label) : '',
      note: fault && goal ? draftFaultWords(fault, goal, language) : undefined,
    }
  }
  const version = refused ? refused.version : goal?.version
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
      <Field
        {...field('title')}
        hint={t`What you ask for. 3 to 100 characters.`}
        autoComplete="off"
        dir="auto"
      />
      <Field
        {...field('byline')}
        hint={t`Your name, or that of the group that you speak for. Everyone can read it.`}
        autoComplete="off"
        dir="auto"
      />
      <Field
        {...field('category')}
        hint={t`For example: school, health, animals.`}
        autoComplete="off"
        dir="auto"
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <Field {...field('target')} hint={t`From $50 to $25,000.`} autoComplete="off" inputMode="decimal" />
        <Field
          {...field('days')}
          hint={t`How long it is open: 7 to 30 days.`}
          autoComplete="off"
          inputMode="numeric"
        />
      </div>
      <Control
        {...field('plan')}
        hint={t`1 to 12 lines, each an amount and what it is for, such as “400, coats for 20 children”. The amounts must add up to your target.`}
      >
        {(attributes) => <textarea {...attributes} className="field" rows={5} dir="auto" />}
      </Control>
      <Control
        {...field('story')}
        hint={t`Why you need it, and what changes with it. 40 to 5,000 characters.`}
      >
        {(attributes) => <textarea {...attributes} className="field" rows={10} dir="auto" />}
      </Control>
      <Control
        {...field('links')}
        hint={t`Up to 5 pages that show more, one on each line. Each starts with https://.`}
        optional
      >
        {(attributes) => <textarea {...attributes} className="field" rows={3} dir="ltr" />}
      </Control>
      <PictureFields
        picture={goal?.picture ? { src: goal.picture.path, alt: goal.picture.text } : null}
        description="picture_text"
        field={field}
      />
      <WalletField {...field('wallet')} wallets={wallets} isProvenNow={isProvenNow} />
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
          {goal && !refused && (
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
