import { msg } from '@lingui/core/macro'
import { findPool } from '../impact-pools'
import type { I18n } from '../locales/i18n'
import { key } from '../locales/key'
import type { ActKind } from './kinds'

/** The name of an act's subject in a list. `titles`: the titles of public goals by their slug. */
export function subjectName(
  kind: ActKind,
  subject: string,
  i18n: I18n,
  titles: Readonly<Record<string, string | null>>,
): string {
  if (kind === 'update') {
    const [slug = '', number = ''] = subject.split('/')
    const pool = i18n._(key(findPool(slug)?.title ?? slug))
    return i18n._(msg`${{ pool }}, update ${number}`)
  }
  if (kind === 'purpose' || kind === 'value' || kind === 'reading') {
    const transaction = short(subject.split('/')[1] ?? subject)
    return i18n._(msg`A payment in transaction ${transaction}`)
  }
  if (kind === 'order' || kind === 'stop') return i18n._(msg`Order ${{ number: subject }}`)
  if (kind === 'name' || kind === 'withdrawal') return short(subject)
  return titles[subject] ?? subject
}

/** A hash or an address, shortened in the middle as in `Hash` (ledger/hash.tsx). */
function short(hash: string): string {
  return `${hash.slice(0, 8)}…${hash.slice(-6)}`
}
