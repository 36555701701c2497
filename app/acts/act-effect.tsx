import { Trans } from '@lingui/react/macro'
import { useFollows } from '../follow/follow'
import { Gap, useLanguage } from '../platform/locales/react'
import type { Kind } from './forms/kind'

/**
 * What an operator reads before the button of an act: its effect, how many operators it needs, and who gets
 * an email.
 */
export function ActEffect({ kind }: { kind: Kind }) {
  const { i18n } = useLanguage()
  const { effect, people, isConfirmedLater, isAboutGoal, mail } = kind
  const mails = useFollows() ? mail : undefined
  return (
    <>
      {effect && (
        <p className="mt-3 max-w-[65ch]">
          {i18n._(effect)}
          <Gap />
          {people === 2 ? (
            <Trans>A second operator must confirm this.</Trans>
          ) : (
            !isConfirmedLater && <Trans>You decide this alone.</Trans>
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
        isAboutGoal && (
          <p className="mt-3 max-w-[65ch] text-muted">
            <Trans>The member sees it on their dashboard. No one gets an email.</Trans>
          </p>
        )
      )}
    </>
  )
}
