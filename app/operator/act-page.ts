import type { Act } from './acts.server'
import { hasPrivateReason, isGoalKind } from './kinds'

/** The public page that shows what an act did; null if no page shows it. */
export function pageOfAct({ kind, subject, madeKind, madeId }: Act): string | null {
  if (kind === 'introduction') return '/about'
  if (kind.startsWith('payments-')) return '/transparency/orders'
  if (!subject) return null
  if (isGoalKind(kind)) return hasPrivateReason(kind) ? null : `/giveback/${subject}`
  switch (madeKind) {
    case 'transaction':
      return `/transparency/${madeId}`
    case 'statement':
      return '/cz-call'
    case 'update':
      return `/voting/${subject.split('/')[0]}`
    case 'name':
      return `/transparency?q=${subject}`
    case 'order':
      return `/transparency/orders?before=${Number(subject) + 1}`
    case 'standing-order':
      return `/transparency/orders#standing-${subject}`
    case 'split-vote':
      return `/giveback/${subject}/votes`
    default:
      return null
  }
}
