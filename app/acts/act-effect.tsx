import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useFollows } from '../follow/follow'
import { Gap, useLanguage } from '../platform/locales/react'
import { type ActKind, kindOf } from './kinds'

/** The note for each kind of act that sends emails. */
const emails: Partial<Record<ActKind, MessageDescriptor>> = {
  update: msg`Those who follow the pool get a new update by email, usually within minutes.`,
  statement: msg`Those who follow CZ Call get a confirmed statement by email once its payment is verified.`,
  'goal-approval': msg`The member gets an email that the goal is open.`,
  'goal-return': msg`The member gets an email with this reason.`,
  'goal-rejection': msg`The member gets an email with this reason.`,
  confirmation: msg`Those who follow CZ Call get this statement by email once its payment is verified.`,
}

/**
 * What an operator reads before an act's button: what the act does, how many operators it needs, and who gets
 * an email.
 */
export function ActEffect({ kind }: { kind: ActKind }) {
  const { i18n } = useLanguage()
  const mails = useFollows() ? emails[kind] : undefined
  const { effect, people } = kindOf(kind)
  return (
    <>
      {effect && (
        <p className="mt-3 max-w-[65ch]">
          {i18n._(effect)}
          <Gap />
          {people === 2 ? (
            <Trans>A second operator must confirm this.</Trans>
          ) : (
            kind !== 'statement' && <Trans>You decide this alone.</Trans>
          )}
        </p>
      )}
      {mails ? (
        <p className="mt-3 max-w-[65ch] text-muted">
          {i18n._(mails)}
          <Gap />
          <Trans>An email that was sent can't be called back.</Trans>
        </p>
      ) : (
        kind.startsWith('goal-') && (
          <p className="mt-3 max-w-[65ch] text-muted">
            <Trans>The member sees it on their dashboard. No one gets an email.</Trans>
          </p>
        )
      )}
    </>
  )
}
