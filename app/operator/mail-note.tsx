import { useFollows } from '../follow/follow'
import type { ActKind } from './kinds'

/** Which emails an act causes, for the kinds that cause any. */
const emails: Partial<Record<ActKind, string>> = {
  update: 'Those who follow the pool get a new update by email, usually within minutes.',
  statement: 'Those who follow CZ Call get a confirmed statement by email once its payment is verified.',
  confirmation: 'Those who follow CZ Call get this statement by email once its payment is verified.',
}

/** Said before an operator publishes something that followers get by email. */
export function MailNote({ kind }: { kind: ActKind }) {
  const follows = useFollows()
  const text = emails[kind]
  if (!follows || !text) return null
  return <p className="mt-3 max-w-[65ch] text-muted">{text} An email that was sent can't be called back.</p>
}
