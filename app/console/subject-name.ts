import { msg } from '@lingui/core/macro'
import type { ActKind } from '../acts/kinds'
import { shortHash } from '../ledger/short-hash'
import { findPool } from '../platform/impact-pools'
import type { I18n } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'

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
    const transaction = shortHash(subject.split('/')[1] ?? subject)
    return i18n._(msg`A payment in transaction ${transaction}`)
  }
  if (kind === 'order' || kind === 'stop') return i18n._(msg`Order ${{ number: subject }}`)
  if (kind === 'standing-order' || kind === 'suspend')
    return i18n._(msg`Standing order ${{ number: subject }}`)
  if (kind === 'split-vote') return i18n._(msg`The split of the fees`)
  if (kind === 'name' || kind === 'withdrawal') return shortHash(subject)
  return titles[subject] ?? subject
}
