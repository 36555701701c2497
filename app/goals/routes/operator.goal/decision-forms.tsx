import { Trans, useLingui } from '@lingui/react/macro'
import { ActEffect } from '~/acts/act-effect'
import { reasonField } from '~/acts/schemas'
import { Speaks } from '~/acts/speaks'
import { type GoalActKind, goalActs } from '~/goals/acts'
import { Control, Tick } from '~/platform/forms/control'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { useLanguage } from '~/platform/locales/react'

/** A decision with the values that the operator entered, refused or stored as a draft. */
export interface Decision extends RefusedForm {
  /** The id of the decision's draft. */
  act: string
  kind: GoalActKind
}

/** The decisions about a goal that are possible now. Each leads to its act, which shows what it publishes. */
export function DecisionForms({
  offers,
  decision,
  chosen,
  note,
}: {
  /** Each kind of decision, with the version of the goal to decide on and the id of a new draft. */
  offers: readonly { kind: GoalActKind; version: number; act: string }[]
  decision: Decision | null
  /** The kind whose form is open when the page opens. */
  chosen: string | null
  /** Why the operator cannot decide now; null if the operator can decide. */
  note: string | null
}) {
  const { i18n } = useLanguage()
  return (
    <div className="mt-4 grid max-w-2xl gap-4">
      {note && <p className="notice mt-0">{note}</p>}
      {offers.length === 0 && !note && (
        <p>
          <Trans>Nothing can be decided about it now.</Trans>
        </p>
      )}
      {offers.map((offer) => {
        const typed = decision?.kind === offer.kind ? decision : null
        return (
          <details
            key={offer.kind}
            open={typed !== null || chosen === offer.kind}
            className="border-t border-hairline pt-3"
          >
            <summary className="min-h-11 cursor-pointer py-2 font-semibold">
              {i18n._(goalActs[offer.kind].title)}
            </summary>
            <DecisionForm {...offer} typed={typed} />
          </details>
        )
      })}
    </div>
  )
}

function DecisionForm({
  kind,
  version,
  act,
  typed,
}: {
  kind: GoalActKind
  version: number
  act: string
  typed: Decision | null
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const field = fieldsOf(typed ?? undefined)
  const { label, shortest, hint } = reasonField(goalActs[kind])
  return (
    <form method="post" noValidate className="mt-2 grid gap-4 pb-3">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="act" value={typed?.act ?? act} />
      <input type="hidden" name="version" value={version} />
      {kind === 'goal-approval' && <Speaks {...field('speaks')} />}
      {kind === 'goal-freeze' && (
        <Tick name="hide" defaultChecked={typed?.values?.hide === 'yes'}>
          <Trans>Hide its text and picture too</Trans>
        </Tick>
      )}
      <Control
        {...field('reason')}
        id={`${kind}-reason`}
        label={i18n._(label)}
        hint={hint && i18n._(hint)}
        optional={shortest === 0}
      >
        {(attributes) => (
          <textarea {...attributes} rows={4} dir="auto" className="field" required={shortest > 0} />
        )}
      </Control>
      <div className="*:first:mt-0">
        <ActEffect kind={goalActs[kind]} />
      </div>
      <p>
        <button type="submit" className="button button-ink">
          {t`Save and check`}
        </button>
      </p>
    </form>
  )
}
