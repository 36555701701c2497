import { hasPrivateReason, isActKind, isGoalKind } from './kinds'

/** What an act was about, and the row that it made. */
interface ActSubject {
  subject: string | null
  madeKind: string | null
  madeId: string | number | null
}

/** The public page that shows what an act of this kind did; null if no page shows it. */
export function pageOfAct(kind: string, { subject, madeKind, madeId }: ActSubject): string | null {
  if (kind === 'introduction') return '/about'
  if (madeKind === 'standing-order') return `/transparency/orders#standing-${subject}`
  if (kind.startsWith('pay')) return '/transparency/orders'
  if (!subject) return null
  if (isActKind(kind) && isGoalKind(kind)) return hasPrivateReason(kind) ? null : `/giveback/${subject}`
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
    case 'split-vote':
      return `/giveback/${subject}/votes`
    default:
      return null
  }
}
