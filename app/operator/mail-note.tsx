import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useFollows } from '../follow/follow'
import { useLanguage } from '../locales/react'
import type { ActKind } from './kinds'

/** The note for each kind of act that sends emails. */
const emails: Partial<Record<ActKind, MessageDescriptor>> = {
  update: msg`Those who follow the pool get a new update by email, usually within minutes.`,
  statement: msg`Those who follow CZ Call get a confirmed statement by email once its payment is verified.`,
  'goal-approval': msg`The member gets an email that the goal is open.`,
  'goal-return': msg`The member gets an email with this reason.`,
  'goal-rejection': msg`The member gets an email with this reason.`,
  confirmation: msg`Those who follow CZ Call get this statement by email once its payment is verified.`,
}

/** The note about emails to followers. An operator reads the note before publishing. */
export function MailNote({ kind }: { kind: ActKind }) {
  const follows = useFollows()
  const { i18n } = useLanguage()
  const text = emails[kind]
  if (!follows || !text) return null
  return (
    <p className="mt-3 max-w-[65ch] text-muted">
      {i18n._(text)} <Trans>An email that was sent can't be called back.</Trans>
    </p>
  )
}
