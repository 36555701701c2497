import { Trans, useLingui } from '@lingui/react/macro'
import { useLanguage } from '~/locales/react'
import { ActEffect } from '~/operator/act-effect'
import { type ActKind, kindOf } from '~/operator/kinds'
import { reasonField } from '~/operator/schemas'
import { Speaks } from '~/operator/speaks'

/** A decision with the values that the operator entered. */
export interface Decision {
  /** The id of the decision's draft. */
  act: string
  kind: ActKind
  reason: string
  hide: string
  error: { field: string; message: string } | null
}

/**
 * The decisions that an operator may make about a goal now. Each form leads to the page of its act, which
 * shows what the act will publish.
 */
export function DecisionForms({
  offers,
  decision,
  chosen,
  note,
}: {
  /** Each kind of decision, with the version of the goal to decide on and the id of a new draft. */
  offers: readonly { kind: ActKind; version: number; act: string }[]
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
              {i18n._(kindOf(offer.kind).title)}
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
  kind: ActKind
  version: number
  act: string
  typed: Decision | null
}) {
  const { t } = useLingui()
  return (
    <form method="post" noValidate className="mt-2 grid gap-4 pb-3">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="act" value={typed?.act ?? act} />
      <input type="hidden" name="version" value={version} />
      {kind === 'goal-approval' && <Speaks error={errorAt(typed, 'speaks')} />}
      {kind === 'goal-freeze' && (
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            name="hide"
            value="yes"
            className="size-5"
            defaultChecked={typed?.hide === 'yes'}
          />
          <Trans>Hide its text and picture too</Trans>
        </label>
      )}
      <Reason kind={kind} typed={typed} />
      <div className="*:first:mt-0">
        <ActEffect kind={kind} />
      </div>
      <p>
        <button type="submit" className="button button-ink">
          {t`Save and check`}
        </button>
      </p>
    </form>
  )
}

function errorAt(typed: Decision | null, field: string): string | undefined {
  return typed?.error?.field === field ? typed.error.message : undefined
}

function Reason({ kind, typed }: { kind: ActKind; typed: Decision | null }) {
  const { i18n } = useLanguage()
  const { label, shortest, hint } = reasonField(kind)
  const error = errorAt(typed, 'reason')
  const id = `${kind}-reason`
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {i18n._(label)}
        {shortest === 0 && (
          <span className="font-normal text-muted">
            {' '}
            <Trans>(optional)</Trans>
          </span>
        )}
      </label>
      <textarea
        id={id}
        name="reason"
        rows={4}
        dir="auto"
        className="field"
        required={shortest > 0}
        defaultValue={typed?.reason}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        // biome-ignore lint/a11y/noAutofocus: the wrong field of a refused form takes the focus
        autoFocus={Boolean(error)}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {i18n._(hint)}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
